import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { removals, remove } from "#tests/support/fork/remove-feature.ts";

vi.setConfig({ testTimeout: TIME_LIMIT + 30_000 });

test.each(removals)("without $feature, the site passes npm test, with its checks and its build", (removal) => {
  const { folder, remove: cleanUp } = cleanClone();
  onTestFinished(cleanUp);
  remove(removal, folder);
  // The checks look at what git would commit.
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  expect(failureOf(folder, "npx", "biome", "check", "--write", ".")).toBe("");
  const failure = failureOf(folder, "npm", "test");
  expect(failure, failure).toBe("");
});
