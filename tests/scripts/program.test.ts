import { expect, test } from "vitest";
import { runScript } from "#tests/support/run-script.ts";

test.each([
  ["db-seed", ["--entries", "1.5"], "It must be a whole number."],
  ["db-seed", ["--entires", "5"], "unknown option '--entires'\n(Did you mean --entries?)"],
  ["deploy", ["--check-at", "example.com"], "It must be an address such as https://example.com."],
  ["deploy", ["--rotate-link-secret", "--revoke-link-secret"], "cannot be used with option '--rotate-link-secret'"],
])("%s %j exits with 2, says why, and where to find help", async (script, args, message) => {
  const { code, out, err } = await runScript(script, args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(message);
  expect(err).toMatch(/\n\nFor help: npm run \S+ -- --help\n$/);
});

test.each(["owner", "bench"])("%s --help prints how to call it, and starts nothing", async (script) => {
  const { code, out, err } = await runScript(script, ["--help"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^Usage: npm run \S+ -- \[options\]( \[command\])?\n\n.+\n(?:.*\n)* {2}--help +show this/);
});
