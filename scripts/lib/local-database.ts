import { createHash, createHmac } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { root } from "#scripts/lib/commands.ts";

/** Path of the local D1's SQLite file, which may not exist yet. */
export function databaseFile(persistTo: string): string {
  return join(persistTo, "v3", "d1", NAMESPACE, `${objectId(databaseId())}.sqlite`);
}

const NAMESPACE = "miniflare-D1DatabaseObject";

/** Wrangler's id of the local database: the one in wrangler.toml, else the binding's name. */
function databaseId(): string {
  const config = readFileSync(join(root, "wrangler.toml"), "utf8");
  const [, id] =
    /^\s*preview_database_id\s*=\s*"(.+)"/m.exec(config) ?? /^\s*database_id\s*=\s*"(.+)"/m.exec(config) ?? [];
  return id ?? "DB";
}

/** The id that Miniflare derives from the name of a Durable Object, which is what stores a local D1. */
function objectId(name: string): string {
  const key = createHash("sha256").update(NAMESPACE).digest();
  const hmac = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
  const id = hmac(name);
  return Buffer.concat([id, hmac(id)]).toString("hex");
}

/** How many migrations a local database lacks. */
export function pendingMigrations(persistTo: string): number {
  const all = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  const applied = new Set(appliedMigrations(databaseFile(persistTo)));
  return all.filter((name) => !applied.has(name)).length;
}

function appliedMigrations(file: string): unknown[] {
  if (!existsSync(file)) return [];
  using database = new DatabaseSync(file, { timeout: 5_000 });
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").get();
  return table === undefined
    ? []
    : database
        .prepare("SELECT name FROM d1_migrations")
        .all()
        .map(({ name }) => name);
}
