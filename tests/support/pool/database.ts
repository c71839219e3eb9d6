import { applyD1Migrations, env, reset } from "cloudflare:test";
import { afterEach, beforeEach } from "vitest";

/** Gives every test an empty, migrated database. Storage is otherwise shared within a file. */
export function freshDatabaseForEachTest(): void {
  beforeEach(() => applyD1Migrations(env.DB, env.MIGRATIONS));
  afterEach(() => reset());
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
