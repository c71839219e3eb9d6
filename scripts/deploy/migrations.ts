import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { MIGRATIONS, migrationNames } from "#scripts/lib/local-database.ts";
import { StepError } from "#scripts/lib/step-error.ts";

/**
 * Compares the migrations applied to a database with the files: Wrangler compares names only, and would skip a file that
 * was edited after it was applied.
 *
 * @throws {StepError} when an applied migration was edited or deleted since
 */
export async function checkAppliedMigrations(db: Db): Promise<void> {
  const tables = (await db.values<[string]>(sql`SELECT name FROM sqlite_master WHERE type = 'table'`)).flat();
  if (!tables.includes("d1_migrations")) return;
  const applied = await db.values<[string]>(sql`SELECT name FROM d1_migrations`);
  const recorded = new Map(
    tables.includes("migration_checksums")
      ? await db.values<[string, string]>(sql`SELECT name, sha256 FROM migration_checksums`)
      : [],
  );
  const current = checksums();
  const changed = applied
    .map(([name]) => name)
    .filter((name) => !current.has(name) || (recorded.has(name) && recorded.get(name) !== current.get(name)));
  if (changed.length === 0) return;
  throw new StepError(
    `These migrations were edited or deleted after they had been applied to the database:\n\n${changed.map((name) => `  ${name}`).join("\n")}`,
    "Restore them from git, and put the change into a new migration: drizzle-kit generate. Nothing was changed.",
  );
}

/** Records the checksums of the files, all of which have been applied. */
export async function recordMigrations(db: Db): Promise<void> {
  await db.run(sql`CREATE TABLE IF NOT EXISTS migration_checksums (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL)`);
  const rows = JSON.stringify([...checksums()]);
  await db.run(sql`INSERT OR REPLACE INTO migration_checksums SELECT value ->> 0, value ->> 1 FROM json_each(${rows})`);
}

function checksums(): Map<string, string> {
  return new Map(migrationNames().map((name) => [name, hash("sha256", readFileSync(join(MIGRATIONS, name)))]));
}
