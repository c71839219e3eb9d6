import { expect, test, vi } from "vitest";
import { describeError, logSampled, redactAddresses, redactRecipients } from "#app/server/log.ts";
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

test.each([
  "ada@example.com",
  "<ada@example.com>:",
  "a@b@c",
  "@a@b",
  "mailto:ada@example.com?x",
  "to=ada%40example.com",
  "ada%2540example.com",
])("%j is redacted whole", (word) => expect(redactAddresses(`before ${word} after`)).toBe("before [address] after"));

test.each([
  ["lovelace@example.com", "to lovelace@example.com: no", "to [address] no"],
  ["lovelace@example.com", "lovelace%40example.com, no", "[address] no"],
  ["lovelace@example.com", "no user Lovelace at  Example.com.", "no user [address]."],
  ["lovelace@example.com", 'no user "lovelace", nor lovelaces', 'no user "[address]", nor lovelaces'],
  ["zoë.o'(+a)@bücher.example", "no user ZOË.O'(+A) here", "no user [address] here"],
  ["bob@example.com", "bob at example.com: bob is no user", "[address]: bob is no user"],
])("of %j, %j is logged as %j", (email, text, redacted) => {
  expect(redactRecipients(text, ["ada@example.com", email])).toBe(redacted);
});

test.each(["@import", "ada@", "@", "%40", "100%40"])("%j is no address", (word) =>
  expect(redactAddresses(word)).toBe(word),
);

test("two million characters are redacted, which quadratic time would need minutes for", () => {
  for (const text of ["a".repeat(2_000_000), `%${"25".repeat(1_000_000)}`]) {
    expect(redactAddresses(text)).toBe(text);
    expect(redactRecipients(text, ["aaaa@example.com"])).toBe(text);
  }
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
    expect(events.filter((event) => event === "flood")).toHaveLength(20);
    expect(log.filter((line) => line.includes('"of":"flood"'))).toEqual([
      `{"level":"warn","event":"log-sampled","of":"flood","perMinute":20}`,
    ]);
    log.length = 0;
    vi.setSystemTime(60_000);
    logSampled("warn", "flood");
    expect(log).toEqual(['{"level":"warn","event":"flood"}']);
  } finally {
    vi.useRealTimers();
  }
});
