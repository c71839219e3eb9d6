import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { tasks } from "#tests/support/fork/tasks.ts";

vi.setConfig({ testTimeout: TIME_LIMIT + 60_000 });

const { folder, remove } = cleanClone();
afterAll(remove);

test("npm test passes in a fork", async () => {
  // The checks look at what git would commit.
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  for (const { carryOut } of tasks) carryOut(folder);
  const failure = await failureOf(folder, "npm", "test");
  expect(failure, failure).toBe("");
  // Of every tool. A missing one would be no failure.
  const reports = globSync("test-results/quick/*.json", { cwd: folder }).map((file) => basename(file));
  expect(reports.toSorted()).toEqual([
    "playwright-browser.json",
    "vitest-app.json",
    "vitest-built.json",
    "vitest-scripts.json",
    "vitest-worker.json",
  ]);
});
