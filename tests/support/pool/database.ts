import { applyD1Migrations, env, reset } from "cloudflare:test";
import { afterEach, beforeEach } from "vitest";

/** Gives every test an empty, migrated database. Storage is otherwise shared within a file. */
export function freshDatabaseForEachTest(): void {
  beforeEach(async () => {
    // On a busy machine, a reset has been seen to leave the last test's database in place.
    while (await isMigrated()) await reset();
    await applyD1Migrations(env.DB, env.MIGRATIONS);
  });
  afterEach(() => reset());
}

async function isMigrated(): Promise<boolean> {
  return (await env.DB.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first()) !== null;
}

type Table =
  | "waitlist_emails"
  | "email_outbox"
  | "email_holds"
  | "blocked_attempts"
  | "owner_log"
  | "owner_sessions"
  | "owner_sign_in_tokens"
  | "erased_totals"
  | "stats"
  | "suppressions"
  | "provider_events"
  | "imports"
  | "import_chunks"
  | "page_visits"
  | "letters";

/** All rows of a table, oldest first. */
export async function rows<T = Record<string, unknown>>(table: Table): Promise<T[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all<T>();
  return results;
}
