import { expect, test } from "vitest";
import { checkAppliedMigrations, recordMigrations } from "#scripts/deploy/migrations.ts";
import { migrationNames } from "#scripts/lib/local-database.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { cloudflare, remoteDatabase, remoteWaitlistForEachTest } from "#tests/support/cloudflare/remote-waitlist.ts";
import { dumpDatabase } from "#tests/support/waitlist-file.ts";

/* The files are those of this project; the tests change what the database knows of them. */

remoteWaitlistForEachTest();

/** The deployed database. */
const sqlite = () => cloudflare.database("waitlist-site").sqlite;

/** Records migrations as applied, as Wrangler does. */
function apply(...names: string[]): void {
  sqlite().exec("CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT)");
  for (const name of names) sqlite().prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
}

/** Makes a recorded checksum differ from its file, as an edit of the file does. */
function edit(name: string): void {
  const { changes } = sqlite().prepare("UPDATE migration_checksums SET sha256 = 'other' WHERE name = ?").run(name);
  expect(changes).toBe(1);
}

const [firstMigration = ""] = migrationNames();
const all = migrationNames();

/** What the check of the applied migrations says, which must leave the database as it is; empty if they may stay. */
async function refusal(): Promise<string> {
  const before = dumpDatabase(sqlite());
  const error = await checkAppliedMigrations(remoteDatabase()).catch((reason: unknown) => reason);
  expect(dumpDatabase(sqlite())).toBe(before);
  if (error === undefined) return "";
  expect(error).toBeInstanceOf(StepError);
  return (error as StepError).message;
}

test("the checksums of all files are recorded, and again after another run", async () => {
  apply(...all);
  for (let run = 0; run < 2; run += 1) {
    await recordMigrations(remoteDatabase());
    const recorded = sqlite().prepare("SELECT name, sha256 FROM migration_checksums ORDER BY name").all();
    expect(recorded).toEqual(all.map((name) => ({ name, sha256: expect.stringMatching(/^\w{64}$/) })));
    expect(await refusal()).toBe("");
  }
  expect(cloudflare.unknown).toEqual([]);
});

test.each<[string, () => unknown]>([
  ["on a database without migrations, as an interrupted first run leaves it", () => {}],
  ["when checksums were never recorded", () => apply(...all)],
  [
    "when a file was edited that has not been applied yet",
    async () => {
      apply();
      await recordMigrations(remoteDatabase());
      edit(firstMigration);
    },
  ],
])("a deployment continues %s", async (_, prepare) => {
  await prepare();
  expect(await refusal()).toBe("");
});

test("it is refused when an applied migration was edited or is missing, by its name and with what to do", async () => {
  apply(...all, "0999_lost.sql");
  const lost = await refusal();
  expect(lost).toContain("  0999_lost.sql");
  expect(lost).toContain("Nothing was changed.");
  expect(lost).not.toContain(firstMigration);
  await recordMigrations(remoteDatabase());
  edit(firstMigration);
  expect(await refusal()).toContain(`  ${firstMigration}\n  0999_lost.sql`);
});

test("a failing API is reported as such, not as an edited migration", async () => {
  cloudflare.failOn(/\/raw$/);
  const message = expect.stringContaining("internal server error");
  await expect(checkAppliedMigrations(remoteDatabase())).rejects.toMatchObject({
    cause: { name: "StepError", message },
  });
});
