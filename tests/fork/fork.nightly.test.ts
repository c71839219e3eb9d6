import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { format } from "#tests/support/fork/edit.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { leftovers } from "#tests/support/fork/leftovers.ts";
import { tasks } from "#tests/support/fork/tasks.ts";

vi.setConfig({ testTimeout: TIME_LIMIT + 60_000, hookTimeout: 120_000 });

const { folder, remove } = cleanClone();
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
beforeAll(() => {
  // The checks look at what git would commit.
  git("init", "--quiet");
  for (const [, carryOut] of tasks) carryOut(folder);
  format(folder);
  git("add", ".");
});
afterAll(remove);

test("the generators change nothing but pictures, icons and the manifest, and leave no old name or colour there", async () => {
  for (const name of ["images", "config-docs", "disposable-domains"])
    expect(await failureOf(folder, "npm", "run", `generate:${name}`)).toBe("");
  const changed = git("diff", "--name-only").split("\n").filter(Boolean);
  expect(changed.filter((file) => !file.startsWith("public/"))).toEqual([]);
  const icons = ["apple-touch-icon.png", "icon-192.png", "icon-512.png"];
  const pictures = [...icons, "icons.svg", "og.png", "og-friend.png", "posts/letter-light.webp"];
  const others = ["favicon.svg", "site.webmanifest"];
  expect(changed).toEqual(expect.arrayContaining([...pictures, ...others].map((name) => `public/${name}`)));
  const texts = changed.filter((file) => /\.(svg|webmanifest)$/.test(file));
  expect(texts.flatMap((file) => leftovers(folder, file, readFileSync(join(folder, file), "utf8")))).toEqual([]);
});

test("npm test passes", async () => {
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
