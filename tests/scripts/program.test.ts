import { expect, test } from "vitest";
import { runScript } from "#tests/support/run-script.ts";

test.each([
  [["--entries"], "argument missing"],
  [["--entries="], "It must be a whole number."],
  [["--entries=-5"], "It must be a whole number."],
  [["--entries", "1.5"], "It must be a whole number."],
  [["--entires", "5"], "unknown option '--entires'\n(Did you mean --entries?)"],
  [["5"], "too many arguments"],
])("db:seed %j exits with 2, says why, and where to find help", async (args, message) => {
  const { code, out, err } = await runScript("db-seed", args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(message);
  expect(err).toMatch(/\n\nFor help: npm run db:seed -- --help\n$/);
});

test.each([
  [["--check-at", "example.com"], "It must be an address such as https://example.com."],
  [["--rotate-link-secret", "--revoke-link-secret"], "cannot be used with option '--rotate-link-secret'"],
])("deploy %j exits with 2 and says why", async (args, message) => {
  const { code, err } = await runScript("deploy", args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test("--help prints the options with their defaults, and exits with 0", async () => {
  const { code, out, err } = await runScript("db-seed", ["--help", "--entries", "5"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(
    /^Usage: npm run db:seed -- \[options\]\n\n.+\n(?:.*\n)*.*--entries <number> .+ \(default: 1000\)\n/,
  );
});
