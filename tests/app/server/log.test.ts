import { expect, test } from "vitest";
import { describeError } from "#app/server/log.ts";

test("an error is told with its causes", () => {
  const error = new TypeError("outer", { cause: new Error("inner") });
  expect(describeError(error)).toBe("TypeError: outer <- Error: inner");
});

test("addresses in error texts are blotted out, whatever stands around them", () => {
  const told = describeError(new Error('could not deliver to <Ada@Example.com>: "zoë@bücher.example", x'));
  expect(told).not.toMatch(/Ada|zoë|bücher|Example/);
});

test("a failed query is told without its parameters", () => {
  const error = Object.assign(new Error("Failed query: insert\nparams: ada@example.com,landing_page"), {
    params: ["ada@example.com"],
    cause: new Error("D1_ERROR: no such table"),
  });
  expect(describeError(error)).toBe("query failed <- Error: D1_ERROR: no such table");
});

test("what was thrown need not be an error", () =>
  expect(describeError("ada@example.com said no")).toBe("[address] said no"));
