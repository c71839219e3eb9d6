import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { edit } from "#tests/support/fork/edit.ts";
import { switchOff } from "#tests/support/fork/switch-off.ts";
import { browserSwitches, missingInBuild, switchNames } from "#tests/support/fork/traces.ts";

// Runs the checks and the tests of what is switched off in a copy of the site without any part or feature, and without a
// launch date. The fork (tests/fork) is one with some of them.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const clone = cleanClone();
beforeAll(() => {
  switchOff(clone.folder, switchNames);
  edit(join(clone.folder, "app", "site.ts"), (text) => text.replace(/(launchDate.*) = ".*"/, "$1 = null"));
  // The checks look at what git would commit.
  execFileSync("git", ["init", "--quiet"], { cwd: clone.folder });
});
afterAll(() => clone.remove());

test("with all parts and features switched off, the checks pass, and the site can be built", () => {
  expect(run("npm", "run", "check")).toBe("0 ");
  expect(run("npm", "run", "build")).toBe("0 ");
});

test("browsers download nothing of them", () => {
  expect(missingInBuild(clone.folder)).toEqual(browserSwitches);
});

test("their pages, links, texts and requests are gone", () => {
  const vitest = join("node_modules", ".bin", "vitest");
  expect(run(vitest, "run", "--project", "built", "tests/built/switched-off.test.ts")).toBe("0 ");
});

/** Runs a command in the copy: its status, and its output after a failure. */
function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: clone.folder, encoding: "utf8" });
  return `${status} ${status === 0 ? "" : stdout + stderr}`;
}
