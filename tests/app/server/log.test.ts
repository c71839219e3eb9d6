import { expect, test, vi } from "vitest";
import { describeError, logSampled, redactAddresses, SAMPLED_LINES } from "#app/server/log.ts";
import { captureLog } from "#tests/support/pool/log.ts";

const log = captureLog();

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

test.each(["ada@example.com", "<ada@example.com>:", "a@b@c", "@a@b", "mailto:ada@example.com?x"])(
  "%j is redacted whole",
  (word) => expect(redactAddresses(`before ${word} after`)).toBe("before [address] after"),
);

test.each(["@import", "ada@", "@"])("%j is no address", (word) => expect(redactAddresses(word)).toBe(word));

test("redacting takes time linear in the text's length", () => {
  const took = (text: string) => {
    const start = performance.now();
    redactAddresses(text);
    return performance.now() - start;
  };
  took("a".repeat(1_000));
  // Quadratic time would be minutes.
  expect(took("a".repeat(2_000_000))).toBeLessThan(5_000);
});

test("of an event that clients cause, some lines a minute are logged, and that the others are missing", () => {
  vi.useFakeTimers({ now: 0 });
  try {
    for (let second = 0; second < 60; second += 1) {
      vi.setSystemTime(second * 1_000);
      logSampled("warn", "flood", { second });
      logSampled("info", "flood-of-another", {});
    }
    const events = log.map((line) => JSON.parse(line).event);
    expect(events.filter((event) => event === "flood")).toHaveLength(SAMPLED_LINES);
    expect(log.filter((line) => line.includes('"of":"flood"'))).toEqual([
      `{"level":"warn","event":"log-sampled","of":"flood","perMinute":${SAMPLED_LINES}}`,
    ]);
    log.length = 0;
    vi.setSystemTime(60_000);
    logSampled("warn", "flood");
    expect(log).toEqual(['{"level":"warn","event":"flood"}']);
  } finally {
    vi.useRealTimers();
  }
});
