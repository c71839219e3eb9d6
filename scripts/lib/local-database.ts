import { createHash, createHmac } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { Db } from "#app/server/db/client.server.ts";
import { root } from "#scripts/lib/commands.ts";
import { openAsD1, type Statement } from "#scripts/lib/d1-client.ts";

const NAMESPACE = "miniflare-D1DatabaseObject";

/** Path of the local D1's SQLite file, which may not exist yet. */
export function databaseFile(persistTo: string): string {
  const config = readFileSync(join(root, "wrangler.toml"), "utf8");
  // Wrangler's id of the local database: the one in wrangler.toml, else the binding's name.
  const id = /^\s*(?:preview_)?database_id\s*=\s*"(.+)"/m.exec(config)?.[1] ?? "DB";
  return join(persistTo, "v3", "d1", NAMESPACE, `${objectId(id)}.sqlite`);
}

/** The id that Miniflare derives from the name of a Durable Object, which is what stores a local D1. */
function objectId(name: string): string {
  const key = createHash("sha256").update(NAMESPACE).digest();
  const hmac = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
  const id = hmac(name);
  return Buffer.concat([id, hmac(id)]).toString("hex");
}

export const MIGRATIONS = join(root, "migrations");

/** The names of the migration files, in order. */
export function migrationNames(folder = MIGRATIONS): string[] {
  return globSync("*.sql", { cwd: folder }).toSorted();
}

/**
 * Applies pending migrations to the local database in a folder, and records them as `wrangler d1 migrations apply` does,
 * which takes seconds.
 *
 * @returns how many
 */
export function migrate(persistTo: string): number {
  const file = databaseFile(persistTo);
  mkdirSync(dirname(file), { recursive: true });
  using database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec(`CREATE TABLE IF NOT EXISTS d1_migrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`);
  const applied = database.prepare("SELECT 1 FROM d1_migrations WHERE name = ?");
  const pending = migrationNames().filter((name) => applied.get(name) === undefined);
  for (const name of pending) {
    const sql = readFileSync(join(MIGRATIONS, name), "utf8");
    database.exec(`BEGIN; ${sql}; INSERT INTO d1_migrations (name) VALUES ('${name}'); COMMIT`);
  }
  return pending.length;
}

/** @throws {Error} if a local database has migrations that this version of the site does not know */
export function checkMigrations(persistTo: string): void {
  const file = databaseFile(persistTo);
  if (!existsSync(file)) return;
  using database = new DatabaseSync(file, { readOnly: true });
  const hasTable = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").get();
  const applied = hasTable ? database.prepare("SELECT name FROM d1_migrations").all() : [];
  const unknown = applied.find(({ name }) => !migrationNames().includes(String(name)));
  if (unknown === undefined) return;
  throw new Error(`The local database in ${persistTo} is from another version: it has the migration ${unknown["name"]}.
Delete that folder to begin with an empty database, or use another one with --persist-to.`);
}

/** How long a query waits while another program, such as a running site, writes to the database (milliseconds). */
const PATIENCE = 30_000;

/**
 * Opens the D1 of a local site, which may be running, for the site's own queries. Cloudflare's runtime would take seconds
 * to start.
 */
export function openLocalDatabase(persistTo: string): { db: Db } & Disposable {
  const database = new DatabaseSync(databaseFile(persistTo), { timeout: PATIENCE });
  const run = ({ sql, params }: Statement) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    return { columns, rows: statement.all(...(params as SQLInputValue[])) as unknown as unknown[][] };
  };
  const db = openAsD1(async (statements) => {
    if (statements.length === 1) return statements.map(run);
    database.exec("BEGIN IMMEDIATE");
    try {
      const results = statements.map(run);
      database.exec("COMMIT");
      return results;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  });
  return { db, [Symbol.dispose]: () => database.close() };
}

const userFile = (persistTo: string) => join(persistTo, "in-use-by");

/** Referenced for as long as the process runs: closing it would end the lock. */
let lock: DatabaseSync;

/**
 * Reserves a local database until this process ends, however it ends: two servers on one database would lose requests.
 *
 * The lock is a SQLite transaction on a file of its own, because Node has no file locks. The database itself stays open
 * to others, so `npm run owner` works beside a running site.
 *
 * @param user what uses the database, for the message in another process
 * @throws {Error} with a message for the terminal when another process has reserved it
 */
export function lockDatabase(persistTo: string, user: string): void {
  mkdirSync(persistTo, { recursive: true });
  lock = new DatabaseSync(join(persistTo, "in-use.sqlite"), { timeout: 500 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch {
    throw new Error(
      `${databaseUser(persistTo) ?? "Another program"} already uses the database in ${persistTo}.\nStop it first, or choose another folder with --persist-to DIR.`,
    );
  }
  writeFileSync(userFile(persistTo), user);
}

/** What uses a local database, or was the last to use it, as {@link lockDatabase} was told; null if nothing did. */
export function databaseUser(persistTo: string): string | null {
  return existsSync(userFile(persistTo)) ? readFileSync(userFile(persistTo), "utf8") : null;
}
