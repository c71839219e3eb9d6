import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cloudflare } from "#scripts/lib/cloudflare.ts";
import { root } from "#scripts/lib/commands.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { remoteD1 } from "#scripts/owner/remote-d1.ts";

const folder = join(root, "migrations");

/** The names of the migration files, in order. */
export function migrationNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
}

/**
 * Compares the migrations applied to a database with the files: Wrangler compares names only, and would skip a file that
 * was edited after it was applied.
 *
 * @throws {StepError} when an applied migration was edited or deleted since
 */
export async function checkAppliedMigrations(cloudflare: Cloudflare, databaseId: string): Promise<void> {
  const d1 = remoteD1(cloudflare, databaseId);
  const tables = await column(
    d1,
    "SELECT name FROM sqlite_master WHERE name IN ('d1_migrations', 'migration_checksums')",
  );
  if (!tables.includes("d1_migrations")) return;
  const applied = await column(d1, "SELECT name FROM d1_migrations");
  const recorded = tables.includes("migration_checksums")
    ? await column(d1, "SELECT name || ' ' || sha256 FROM migration_checksums")
    : [];
  const current = checksums();
  const changed = applied.filter((name) => {
    const checksum = recorded.find((row) => row.startsWith(`${name} `))?.split(" ")[1];
    return !current.has(name) || (checksum !== undefined && checksum !== current.get(name));
  });
  if (changed.length === 0) return;
  throw new StepError(
    `These migrations were edited or deleted after they had been applied to the database:\n\n${changed.map((name) => `  ${name}`).join("\n")}`,
    "Restore them from git, and put the change into a new migration: drizzle-kit generate. Nothing was changed.",
  );
}

/** Records the checksums of the files, all of which have been applied. */
export async function recordMigrations(cloudflare: Cloudflare, databaseId: string): Promise<void> {
  const d1 = remoteD1(cloudflare, databaseId);
  await d1
    .prepare("CREATE TABLE IF NOT EXISTS migration_checksums (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL)")
    .all();
  const rows = JSON.stringify([...checksums()]);
  const insert = "INSERT OR REPLACE INTO migration_checksums SELECT value ->> 0, value ->> 1 FROM json_each(?)";
  await d1.prepare(insert).bind(rows).all();
}

function checksums(): Map<string, string> {
  const sha256 = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  return new Map(migrationNames().map((name) => [name, sha256(name)]));
}

async function column(d1: D1Database, query: string): Promise<string[]> {
  const rows = await d1.prepare(query).raw<[string]>();
  return rows.map(([value]) => value);
}
