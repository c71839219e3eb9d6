import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { runScript } from "#tests/support/run-script.ts";

const clone = cleanClone();
// Only the link: nothing is installed in the clone.
rmSync(join(clone.folder, "node_modules"));
afterAll(clone.remove);

test.each(["start", "deploy", "test"])("npm run %s -- --help answers in a new clone, and installs nothing", (name) => {
  const before = readdirSync(clone.folder, { recursive: true });
  const args = ["run", "--silent", name, "--", "--help"];
  const { status, stdout } = spawnSync("npm", args, { cwd: clone.folder, encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout).toContain(name === "start" || name === "test" ? `npm ${name} --` : `npm run ${name} --`);
  expect(stdout).toMatch(/^ {2}--help +show this text\n$/m);
  expect(readdirSync(clone.folder, { recursive: true })).toEqual(before);
});

test.each(["start", "dev", "deploy"])("scripts/help/%s.txt is what the script prints", async (name) => {
  const { out } = await runScript(name, ["--help"]);
  expect(readFileSync(join(root, "scripts", "help", `${name}.txt`), "utf8")).toBe(out);
});

test("the exit code is that of the script, which gets the arguments", () => {
  const args = ["scripts/run.mjs", "start", "--port", "lots"];
  const { status, stdout, stderr } = spawnSync("node", args, { cwd: root, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 2, stdout: "  Install   up to date\n" });
  expect(stderr).toContain("It must be a whole number.");
});
