import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type TestContext, test, vi } from "vitest";
import { site } from "#app/site.ts";
import { cleanClone } from "#tests/support/clean-clone.ts";
import { failureOf, TIME_LIMIT } from "#tests/support/fork/failure-of.ts";
import { type Removal, removals, remove, shared } from "#tests/support/fork/remove-feature.ts";
import { renderAll } from "#tests/support/fork/render-all.ts";
import { addField } from "#tests/support/fork/tasks.ts";

// As many at the same time as there are cores.
vi.setConfig({ testTimeout: TIME_LIMIT + 60_000, maxConcurrency: 2 });

test.concurrent.for(removals)(
  "without $feature, the site passes its checks, builds, keeps its tables, and people join",
  async (removal, context) => {
    const folder = await siteWithout([removal], context);
    await expectChecked(folder);
    expect(await newMigrations(folder)).toEqual([]);
    expectSignUp(folder);
  },
);

test("without webhooks, their tables can be dropped: with their triggers, or the checks refuse it", async (context) => {
  const folder = await siteWithout([removals.find(({ feature }) => feature === "Webhooks") as Removal], context);
  rmSync(join(folder, "app/server/db/schema/webhooks.server.ts"));
  await expectSuccess(folder, "npx", "biome", "check", "--write", ".");
  const [file = ""] = await newMigrations(folder);
  expect(await failureOf(folder, "npm", "run", "check")).toContain("every write to waitlist_emails would fail");
  const guide = readFileSync(join(folder, "docs", "make-it-yours.md"), "utf8");
  const [, dropTriggers] = /```sql\n(DROP TRIGGER[^`]*(?:`\w+`[^`]*)*)```/.exec(guide) ?? [];
  const path = join(folder, "migrations", file);
  writeFileSync(path, dropTriggers + readFileSync(path, "utf8"));
  await expectChecked(folder);
  expectSignUp(folder);
});

// Of all together: the tests of each alone would take half an hour. The others run where the features are switched off, in
// the fork.
test("without any of them, the site passes its checks, builds, and passes the quick tests of the built Worker", async (context) => {
  const folder = await siteWithout([...removals, shared], context);
  await expectChecked(folder);
  await expectSuccess(folder, "env", "TESTS=quick", "npx", "vitest", "run", "--project", "built");
  const before = migrationsOf(folder);
  addField(folder);
  const [added = ""] = migrationsOf(folder).filter((file) => !before.includes(file));
  expect(readFileSync(join(folder, "migrations", added), "utf8")).toBe(
    "ALTER TABLE `waitlist_emails` ADD `town` text;",
  );
  await expectSuccess(folder, "npm", "run", "build");
  expectSignUp(folder);
});

/** What `drizzle-kit generate` adds. */
async function newMigrations(folder: string): Promise<string[]> {
  const before = migrationsOf(folder);
  await expectSuccess(folder, "npx", "drizzle-kit", "generate", "--name", "more");
  return migrationsOf(folder).filter((file) => !before.includes(file));
}

function migrationsOf(folder: string): string[] {
  return globSync("*.sql", { cwd: join(folder, "migrations") });
}

/** On a database with all migrations. */
function expectSignUp(folder: string): void {
  expect(renderAll(folder)["the welcome email"]).toContain(site.name);
}

async function expectChecked(folder: string): Promise<void> {
  for (const command of ["check", "build"]) await expectSuccess(folder, "npm", "run", command);
}

async function expectSuccess(folder: string, command: string, ...args: string[]): Promise<void> {
  const failure = await failureOf(folder, command, ...args);
  expect(failure, failure).toBe("");
}

async function siteWithout(recipes: Removal[], { onTestFinished }: TestContext): Promise<string> {
  const { folder, remove: cleanUp } = cleanClone();
  onTestFinished(cleanUp);
  remove(folder, ...recipes);
  // The checks look at what git would commit.
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  await expectSuccess(folder, "npx", "biome", "check", "--write", ".");
  return folder;
}
