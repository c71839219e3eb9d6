import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { edit } from "#tests/support/fork/edit.ts";

// A copy of the site without a launch date, and with all parts and features.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const clone = cleanClone();
beforeAll(() =>
  edit(join(clone.folder, "app", "site.ts"), (text) => text.replace(/(launchDate.*) = ".*"/, "$1 = null")),
);
afterAll(() => clone.remove());

test("without a launch date, pages, emails, summary and structured data name none", () => {
  expect(run("npm", "run", "build")).toBe("0 ");
  const vitest = join("node_modules", ".bin", "vitest");
  expect(run(vitest, "run", "--project", "built", "tests/built/launch-sentence.test.ts")).toBe("0 ");
});

/** Runs a command in the copy: its status, and its output after a failure. */
function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: clone.folder, encoding: "utf8" });
  return `${status} ${status === 0 ? "" : stdout + stderr}`;
}
