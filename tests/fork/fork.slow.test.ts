import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { site } from "#app/site.ts";
import { palette } from "#app/ui/theme.ts";
import { root } from "#scripts/lib/commands.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { leftovers } from "#tests/support/fork/leftovers.ts";
import { renderAll } from "#tests/support/fork/render-all.ts";
import { NEW_NAME, tasks, unwanted } from "#tests/support/fork/tasks.ts";
import { missingInBuild, missingInWorker, unreferenced, workerSwitches } from "#tests/support/fork/traces.ts";

vi.setConfig({ testTimeout: TIME_LIMIT + 30_000, hookTimeout: 60_000 });

const guide = readFileSync(join(root, "docs", "make-it-yours.md"), "utf8");

const { folder, remove } = cleanClone();
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });

beforeAll(() => {
  git("init", "--quiet");
  git("add", ".");
});
afterAll(remove);

test.each(tasks)("%s: edited by hand are only the files that the guide names", (name, carryOut) => {
  carryOut(folder);
  const added = git("ls-files", "--others", "--exclude-standard");
  const changed = (git("diff", "--name-only") + added).split("\n").filter(Boolean).toSorted();
  const byHand = changed.filter((file) => !file.startsWith("migrations/"));
  expect(byHand.length).toBeGreaterThan(0);
  expect(guide).toContain(`\n| ${name} | ${byHand.length} | ${byHand.map((file) => `\`${file}\``).join(", ")} |\n`);
  git("add", ".");
});

// `npm run test:nightly` runs the generators, `npm run check` and its tests.
test("it can be built, with nothing of what is switched off for browsers or in the Worker, and all of the others", async () => {
  expect(await failureOf(folder, "npm", "run", "build")).toBe("");
  expect(missingInBuild(folder)).toEqual(unwanted);
  expect(missingInWorker(folder)).toEqual(unwanted.filter((name) => workerSwitches.includes(name)));
  expect(unreferenced(folder)).toEqual([]);
});

test("the old name and the old colours would be found", () => {
  const icon = readFileSync(join(root, "public", "favicon.svg"), "utf8");
  const { bar, logoHost } = palette.page;
  expect(leftovers(folder, "icon", icon)).toEqual(
    expect.arrayContaining([site.name, bar[0], logoHost].map((what) => `icon: ${what}`)),
  );
});

test("they are not left in the built site, in pages, or in emails", () => {
  // The generators' files are as they were.
  const files = globSync("build/**/*.{html,css,js,json,txt}", { cwd: folder });
  expect(files.filter((file) => file.endsWith(".css")).length).toBeGreaterThan(1);
  expect(files.flatMap((file) => leftovers(folder, file, readFileSync(join(folder, file), "utf8")))).toEqual([]);
  const rendered = renderAll(folder);
  expect(Object.entries(rendered).flatMap(([name, text]) => leftovers(folder, name, text))).toEqual([]);
  expect(rendered["/faq"]).toContain("What does it cost?");
  expect(rendered["/api/v1/openapi.json"]).toContain("Whether they were sent a reminder to confirm.");
  for (const name of ["/", "/owner", "/llms.txt", "the welcome email"])
    expect(rendered[name]?.replaceAll("&amp;", "&")).toContain(NEW_NAME);
});
