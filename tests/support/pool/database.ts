import { applyD1Migrations, env, reset } from "cloudflare:test";
import { afterEach, beforeEach, onTestFinished } from "vitest";

/** The statements that create what the migrations create: running them is much quicker than running the migrations. */
let schema: string[] | undefined;

/** Gives every test an empty, migrated database. */
export function freshDatabaseForEachTest(): void {
  beforeEach(emptyDatabase);
}

/** Empties the database, or creates its tables. */
export async function emptyDatabase(): Promise<void> {
  const tables = await ownTables();
  if (tables.length === 0) return createTables();
  // Endpoints first, then entries: to delete one is an event, and may be remembered.
  const statements = [
    "PRAGMA defer_foreign_keys = on",
    "DELETE FROM webhook_endpoints",
    "DELETE FROM waitlist_emails",
    ...tables.map((name) => `DELETE FROM ${name}`),
  ];
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

async function createTables(): Promise<void> {
  if (schema !== undefined) {
    await env.DB.batch(schema.map((statement) => env.DB.prepare(statement)));
    return;
  }
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  // The others are SQLite's and D1's own.
  const { results } = await env.DB.prepare(
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' ORDER BY rowid",
  ).all<{ sql: string }>();
  schema = results.map(({ sql }) => sql);
}

/** Like {@link freshDatabaseForEachTest}, with an empty KV namespace and unused rate limits, for tests that send requests. */
export function freshStorageForEachTest(): void {
  freshDatabaseForEachTest();
  afterEach(() => reset());
}

/** The tables that hold rows of tests, and SQLite's own that numbers them. */
async function ownTables(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{
    name: string;
  }>();
  return results.map(({ name }) => name).filter((name) => name !== "d1_migrations" && !name.startsWith("_cf_"));
}

/** Makes every insertion into a table fail until the test has finished. */
export async function refuseInserts(table: Table): Promise<void> {
  await env.DB.exec(`CREATE TRIGGER refused BEFORE INSERT ON ${table} BEGIN SELECT raise(abort, 'refused'); END`);
  onTestFinished(acceptInserts);
}

/** Undoes {@link refuseInserts}. */
export async function acceptInserts(): Promise<void> {
  await env.DB.exec("DROP TRIGGER IF EXISTS refused");
}

type Table =
  | "waitlist_emails"
  | "email_outbox"
  | "email_pauses"
  | "email_wordings"
  | "letter_greetings"
  | "blocked_attempts"
  | "owner_log"
  | "owner_sessions"
  | "owner_sign_in_tokens"
  | "erased_totals"
  | "stats"
  | "suppressions"
  | "erased_addresses"
  | "provider_events"
  | "imports"
  | "import_chunks"
  | "bulk_actions"
  | "saved_views"
  | "page_visits"
  | "referrals"
  | "referrers"
  | "referred_mailboxes"
  | "referred_domains"
  | "reached_milestones"
  | "api_keys"
  | "webhook_endpoints"
  | "webhook_deliveries"
  | "embed_origins"
  | "fair_devices"
  | "letters"
  | "series_steps";

/** All rows of a table, oldest first. */
export async function rows<T = Record<string, unknown>>(table: Table): Promise<T[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all<T>();
  return results;
}
