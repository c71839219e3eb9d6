import type { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Db } from "#app/server/db/client.server.ts";
import { checkAppliedMigrations, recordMigrations } from "#scripts/deploy/migrations.ts";
import { type Cloudflare, signIn } from "#scripts/lib/cloudflare.ts";
import { migrationNames } from "#scripts/lib/local-database.ts";
import { createDatabase, openRemoteDatabase } from "#scripts/lib/remote-database.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { startFakeCloudflare } from "#tests/support/cloudflare/api.ts";
import { dumpDatabase } from "#tests/support/waitlist-file.ts";

/* The files are those of this project; the tests change what the database knows of them. */

let fake: Awaited<ReturnType<typeof startFakeCloudflare>>;
let cloudflare: Cloudflare;
let db: Db;
let sqlite: DatabaseSync;

beforeAll(async () => {
  fake = await startFakeCloudflare();
  for (const [name, value] of Object.entries(fake.env)) vi.stubEnv(name, value);
  cloudflare = await signIn(fake.env);
  return fake.stop;
});

beforeEach(async ({ task }) => {
  const id = await createDatabase(cloudflare, task.id);
  db = openRemoteDatabase(cloudflare, id);
  sqlite = fake.database(id).sqlite;
});

/** Records migrations as applied, as Wrangler does. */
function apply(...names: string[]): void {
  sqlite.exec("CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT)");
  for (const name of names) sqlite.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
}

/** Makes a recorded checksum differ from its file, as an edit of the file does. */
function edit(name: string): void {
  const { changes } = sqlite.prepare("UPDATE migration_checksums SET sha256 = 'other' WHERE name = ?").run(name);
  expect(changes).toBe(1);
}

const [firstMigration = ""] = migrationNames();
const recorded = () => sqlite.prepare("SELECT name, sha256 FROM migration_checksums ORDER BY name").all();
const check = () => checkAppliedMigrations(db);

/** The message of the refusal, which must leave the database as it is. */
async function refusal(): Promise<string> {
  const before = dumpDatabase(sqlite);
  const error = await check().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StepError);
  expect(dumpDatabase(sqlite)).toBe(before);
  return (error as StepError).message;
}

test("the checksums of all files are recorded, and again after another run", async () => {
  apply(...migrationNames());
  for (let run = 0; run < 2; run += 1) {
    await recordMigrations(db);
    expect(recorded()).toEqual(migrationNames().map((name) => ({ name, sha256: expect.stringMatching(/^\w{64}$/) })));
  }
  expect(fake.unknown).toEqual([]);
});

describe("a deployment continues", () => {
  test("on an empty database, as an interrupted first run leaves it", async () => {
    await check();
    expect(dumpDatabase(sqlite)).toBe("");
  });

  test("when the applied migrations equal their files", async () => {
    apply(...migrationNames());
    await recordMigrations(db);
    await expect(check()).resolves.toBeUndefined();
  });

  test("when checksums were never recorded", async () => {
    apply(...migrationNames());
    await expect(check()).resolves.toBeUndefined();
  });

  test("when a file was edited that has not been applied yet", async () => {
    apply();
    await recordMigrations(db);
    edit(firstMigration);
    await expect(check()).resolves.toBeUndefined();
  });
});

describe("a deployment is refused", () => {
  test("when an applied migration was edited, by its name and with what to do", async () => {
    apply(...migrationNames());
    await recordMigrations(db);
    edit(firstMigration);
    const message = await refusal();
    expect(message).toContain(`  ${firstMigration}`);
    expect(message).toContain("Nothing was changed.");
  });

  test("when the file of an applied migration is missing, with or without checksums", async () => {
    apply(...migrationNames(), "0999_lost.sql");
    const message = await refusal();
    expect(message).toContain("  0999_lost.sql");
    expect(message).not.toContain(firstMigration);
    await recordMigrations(db);
    edit(firstMigration);
    expect(await refusal()).toContain(`  ${firstMigration}\n  0999_lost.sql`);
  });
});

test("a failing API is reported as such, not as an edited migration", async () => {
  fake.failOn(/\/raw$/);
  const message = expect.stringContaining("internal server error");
  await expect(check()).rejects.toMatchObject({ cause: { name: "StepError", message } });
  fake.failOn(null);
});
