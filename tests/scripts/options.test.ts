import { expect, test } from "vitest";
import { parseOptions } from "#scripts/lib/options.ts";
import { runScript } from "#tests/support/run-script.ts";

const options = {
  entries: { type: "number", description: "how many", default: 10 },
  only: { type: "string", value: "GROUP", description: "one group", choices: ["speed", "weight"] },
  check: { type: "boolean", description: "fails" },
} as const;

test("options have defaults, and are parsed in both spellings", () => {
  expect(parseOptions({ options }, []).values).toEqual({ entries: 10, only: undefined, check: false });
  const { values } = parseOptions({ options }, ["--entries=5", "--only", "speed", "--check"]);
  expect(values).toEqual({ entries: 5, only: "speed", check: true });
});

test.each([
  [["--entries"], "argument missing"],
  [["--entries="], "--entries needs a value."],
  [["--entries", "-5"], "--entries"],
  [["--entries=-5"], "--entries -5 is not a whole number."],
  [["--entries", "1.5"], "--entries 1.5 is not a whole number."],
  [["--only", "size"], "--only must be one of speed, weight, not size."],
  [["--check=yes"], "'--check' does not take an argument"],
  [["--chekc"], "Unknown option '--chekc'"],
  [["--colour=red"], "Unknown option '--colour'"],
  [["5"], "Unexpected argument '5'"],
])("%j is refused: %s", (args, message) => {
  expect(() => parseOptions({ options }, args)).toThrow(message);
});

test("options for another program keep their order", () => {
  const args = ["--log-level", "debug", "--check", "--live-reload", "--entries", "3"];
  const { values, rest } = parseOptions({ options, passesTo: "wrangler dev" }, args);
  expect(values).toMatchObject({ entries: 3, check: true });
  expect(rest).toEqual(["--log-level", "debug", "--live-reload"]);
});

test("a mistake exits with 2 and says where to find help", async () => {
  const { code, out, err } = await runScript("db-seed", ["--entires", "5"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^Unknown option '--entires'.*\n\nFor help: npm run db:seed -- --help\n$/);
});

test("--help prints the usage and exits with 0", async () => {
  const { code, out, err } = await runScript("db-seed", ["--help", "--entries", "5"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^npm run db:seed \[-- options\]\n\n.+\n\n {2}--entries NUMBER {3}.+ \(1000\)\n/);
});
