import { applyD1Migrations, env, reset } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, onTestFinished, vi } from "vitest";
import { openDb } from "#app/server/db/client.server.ts";
import { entryEmailRow } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox, importedPriority } from "#app/server/db/schema/email.server.ts";
import type { Campaign } from "#app/waitlist/entries/campaign.ts";
import { addEntry } from "#app/waitlist/sign-up/add-entry.server.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";
import { captureLog } from "#tests/support/pool/log.ts";
import { type Switch, switchedOff } from "#tests/support/switched-off.ts";

/* What nearly every test file of the pool begins with: the switches it needs, an empty database, and people in it. */

/** Skips the tests of this file or block, with the reason, unless some parts and features are switched on. */
export function needs(...names: Switch[]): void {
  const reason = switchedOff(names);
  beforeEach(({ skip }) => skip(reason !== null, reason ?? undefined));
}

/** Stops the clock that tells the date, until the test has finished. */
export function stopClock(now = Date.now()): void {
  vi.useFakeTimers({ toFake: ["Date"], now });
  onTestFinished(() => void vi.useRealTimers());
}

export const db = openDb(env.DB);

/** The statements that create what the migrations create: running them is much quicker than running the migrations. */
let schema: string[] | undefined;

/** Gives every test an empty, migrated database. @returns what the test logs */
export function freshDatabaseForEachTest(): string[] {
  beforeEach(emptyDatabase);
  return captureLog();
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
export function freshStorageForEachTest(): string[] {
  afterEach(() => reset());
  return freshDatabaseForEachTest();
}

/** The tables that hold rows of tests, and SQLite's own that numbers them. */
async function ownTables(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{
    name: string;
  }>();
  return results.map(({ name }) => name).filter((name) => name !== "d1_migrations" && !name.startsWith("_cf_"));
}

/** Makes every insertion into a table fail, or those that a condition selects, until the test has finished. */
export async function refuseInserts(table: string, when = "true"): Promise<void> {
  await env.DB.exec(
    `CREATE TRIGGER refused BEFORE INSERT ON ${table} WHEN ${when} BEGIN SELECT raise(abort, 'refused'); END`,
  );
  onTestFinished(acceptInserts);
}

/** Undoes {@link refuseInserts}. */
export async function acceptInserts(): Promise<void> {
  await env.DB.exec("DROP TRIGGER IF EXISTS refused");
}

/** All that the database holds, as text. */
export async function wholeDatabase(): Promise<string> {
  const statements = (await ownTables()).map((name) => env.DB.prepare(`SELECT * FROM "${name}"`));
  const stored = await env.DB.batch(statements);
  return JSON.stringify(stored.map(({ results }) => results));
}

/** All rows of a table, oldest first. */
export async function rows<T = Record<string, unknown>>(table: string): Promise<T[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all<T>();
  return results;
}

/** The answers of each entry. */
export async function storedAnswers(): Promise<unknown[]> {
  const entries = await rows<{ answers: string | null }>("waitlist_emails");
  return entries.map(({ answers }) => JSON.parse(answers ?? "null"));
}

/** Carries out a statement. */
export async function execute(statement: string, ...values: unknown[]): Promise<void> {
  await env.DB.prepare(statement)
    .bind(...values)
    .run();
}

/** SQLite's query plan, one line per step. */
export async function explain(query: { toSQL(): { sql: string; params: unknown[] } }): Promise<string[]> {
  const { sql, params } = query.toSQL();
  const statement = env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...params);
  return (await statement.all<{ detail: string }>()).results.map(({ detail }) => detail);
}

export interface Joining extends Campaign {
  source?: string;
  mustConfirm?: boolean;
  /** The version of the consent wording. */
  wording?: string;
  /** Milliseconds since 1970; by default now. */
  now?: number;
}

/**
 * Adds a new address to the waitlist, as a sign-up does.
 *
 * @returns the entry's id
 */
export async function join(email: string, joining: Joining = {}): Promise<number> {
  const {
    source = "landing_page",
    mustConfirm = false,
    wording = newsOnly.version,
    now = Date.now(),
    ...columns
  } = joining;
  const added = await addEntry(db, { email, source, columns, consentVersion: wording, now, mustConfirm });
  if (added.kind !== "new") throw new Error(added.kind);
  return added.id;
}

/** Adds `person1@example.com`, `person2@example.com` … with queued welcome emails, as that many sign-ups would. */
export async function seedEntries(count: number, now: number): Promise<void> {
  await insertEntries(count, "person", now, 0);
  const welcome = entryEmailRow(db, "welcome", { id: sql`lower(hex(randomblob(16)))`, now }, undefined);
  await db.insert(emailOutbox).select(welcome);
}

/** Adds `person1@example.com` … as an import does, with welcome emails that wait for those of sign-ups. */
export async function seedImported(count: number, now: number): Promise<void> {
  await insertEntries(count, "person", now, 0);
  await execute("UPDATE waitlist_emails SET import_id = 1");
  const row = { id: sql`lower(hex(randomblob(16)))`, now, priority: importedPriority, reason: sql`'import-limit'` };
  await db.insert(emailOutbox).select(entryEmailRow(db, "welcome", row, undefined));
}

/**
 * Adds `ada1@example.com`, `ada2@example.com` … without emails, each a millisecond after the one before.
 *
 * @param first when the first one joined (milliseconds since 1970)
 */
export const addEntries = (count: number, first = 1): Promise<void> => insertEntries(count, "ada", first, 1);

async function insertEntries(count: number, name: string, first: number, apart: number): Promise<void> {
  const numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)";
  const people = "SELECT ? || n || '@example.com', '{}', ? + (n - 1) * ? FROM numbers";
  const columns = "email, metadata, created_at";
  await execute(`${numbers} INSERT INTO waitlist_emails (${columns}) ${people}`, count, name, first, apart);
}

/**
 * The cases that run, for a file named `*.matrix.test.ts`: nightly all of them, with `npm test` every seventh, or as said. The
 * first one follows from FAST_CHECK_SEED.
 */
export function sampleCases<T>(all: readonly T[], every = 7): T[] {
  if (env.FUZZ_FACTOR === 1) return [...all];
  const step = Math.min(every, all.length);
  return all.filter((_, index) => index % step === env.FAST_CHECK_SEED % step);
}
