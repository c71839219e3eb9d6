import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { addField } from "#tests/support/fork/add-field.ts";
import { addPage } from "#tests/support/fork/add-page.ts";

// Runs the checks, builds, and starts the site in a browser.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const clone = cleanClone();

/** What git has seen of a folder, and what has changed since. */
const git = (...args: string[]) => execFileSync("git", args, { cwd: clone.folder, encoding: "utf8" });
const changedFiles = () => git("status", "--porcelain", "--untracked-files=all").trimEnd().split("\n");

beforeAll(() => {
  git("init", "--quiet");
  git("add", ".");
});
afterAll(() => clone.remove());

test("a page and a field that the recipes add pass every check", () => {
  addPage(clone.folder);
  expect(changedFiles().filter((line) => !line.startsWith("A "))).toHaveLength(4);
  git("add", ".");
  addField(clone.folder);
  const migrations = readdirSync(join(clone.folder, "migrations")).filter((name) => name.endsWith("_entry_town.sql"));
  expect(migrations).toHaveLength(1);
  expect(failureOf("npm", "run", "check")).toBe("");
});

test("at 360 by 640 px the added field and the button are in the first view, clear of the cookie banner", () => {
  expect(failureOf("npm", "run", "build")).toBe("");
  const options = ["--project", "site", "--no-deps", "--grep", "at 360 by 640 px"];
  expect(failureOf("node_modules/.bin/playwright", "test", "first-view.spec.ts", ...options)).toBe("");
});

/** The output of a command in the clone if it fails. */
function failureOf(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: clone.folder, encoding: "utf8" });
  return status === 0 ? "" : stdout + stderr;
}
