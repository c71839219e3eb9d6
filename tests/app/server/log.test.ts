import { expect, test } from "vitest";
import { describeError } from "#app/server/log.ts";

test("an error is described with its causes", () => {
  const error = new TypeError("outer", { cause: new Error("inner") });
  expect(describeError(error)).toBe("TypeError: outer <- Error: inner");
});

test("email addresses in error messages are redacted", () => {
  const described = describeError(new Error('could not deliver to <Ada@Example.com>: "zoë@bücher.example", x'));
  expect(described).not.toMatch(/Ada|zoë|bücher|Example/);
});

test("a failed query is described without its parameters", () => {
  const error = Object.assign(new Error("Failed query: insert\nparams: ada@example.com,landing_page"), {
    params: ["ada@example.com"],
    cause: new Error("D1_ERROR: no such table"),
  });
  expect(describeError(error)).toBe("query failed <- Error: D1_ERROR: no such table");
});

test("thrown values need not be errors", () =>
  expect(describeError("ada@example.com said no")).toBe("[address] said no"));
