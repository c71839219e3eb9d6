import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import { keyedHash } from "#app/server/address-hash.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type EntryEmailKind, emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { findSuppressed, type Suppression } from "#app/server/db/suppressions.server.ts";
import { type Entry, findEntry } from "#app/waitlist/entries.server.ts";
import { type EntrySelection, isSelected } from "#app/waitlist/entry-conditions.server.ts";
import type { ListOrder } from "#app/waitlist/list-order.ts";
import type { originColumns } from "#app/waitlist/origin-columns.ts";

/*
 * Read-only queries behind the owner's lists, searches and exports. Statements that write live in
 * `waitlist/entries.server.ts`. Every query here must stay fast with a million entries.
 */

/** Filters, order and cursor of a list. A search always sorts by address. */
export interface ListQuery extends EntrySelection {
  order: ListOrder;
  /** Id of the entry to continue after, or to go back from. Without either: the first page. */
  after?: number | undefined;
  before?: number | undefined;
  /** Maximum number of entries. */
  limit: number;
}

export interface ListPage {
  entries: Entry[];
  /** Whether there are entries before and after these. */
  hasPrevious: boolean;
  hasNext: boolean;
}

type Cursor = Pick<Entry, "id" | "email">;

/**
 * A page of the list. Keyset pagination: the last page is as fast as the first. If the cursor's entry has been erased,
 * returns the first page.
 */
export async function listEntries(db: Db, query: ListQuery): Promise<ListPage> {
  const cursorId = query.before ?? query.after;
  const cursor = cursorId === undefined ? null : await findEntry(db, cursorId);
  const back = query.before !== undefined && cursor !== null;
  const found = await entriesPage(db, { ...query, limit: query.limit + 1 }, cursor, back);
  const more = found.length > query.limit;
  const entries = found.slice(0, query.limit);
  if (cursor === null) return { entries, hasPrevious: false, hasNext: more };
  return back
    ? { entries: entries.reverse(), hasPrevious: more, hasNext: true }
    : { entries, hasPrevious: true, hasNext: more };
}

/** The query of {@link listEntries}, exported so that a test can check its plan. */
export function entriesPage(db: Db, query: ListQuery, cursor: Cursor | null, back: boolean) {
  const byAddress = isByAddress(query);
  const descending = (byAddress ? query.order === "address-down" : query.order === "newest") !== back;
  const condition = isSelected(db, query);
  const { id, email } = waitlistEmails;
  // Ids grow with time, so the table itself is in order. By address under a filter, a scan that keeps the top page is
  // faster than walking the index past rows that do not match; the unary plus keeps SQLite from using the index.
  // Most entries were sent an email, so under that filter the walk is short, unless few have the answer that is asked for.
  const isDense = query.email?.state === "sent" && !query.search && query.answers === undefined;
  const walksIndex = condition === undefined || isDense;
  const sortKey = byAddress ? (walksIndex ? sql`${email}` : sql`+${email}`) : sql`${id}`;
  const position = byAddress ? cursor?.email : cursor?.id;
  const isPast = sql`${sortKey} ${sql.raw(descending ? "<" : ">")} ${position}`;
  return db
    .select()
    .from(waitlistEmails)
    .where(and(condition, cursor === null ? undefined : isPast))
    .orderBy(descending ? desc(sortKey) : asc(sortKey))
    .limit(query.limit);
}

/**
 * How many entries a list or an export has, counted up to `limit`. A filter that most entries match is then counted
 * without a scan of the whole list.
 */
export async function countEntries(db: Db, selection: EntrySelection, limit?: number): Promise<number> {
  const [row] = await entriesCount(db, selection, limit);
  return row?.count ?? 0;
}

/** The query of {@link countEntries}, exported so that a test can check its plan. */
export function entriesCount(db: Db, selection: EntrySelection, limit = Number.MAX_SAFE_INTEGER) {
  const one = sql`1`.as("one");
  const matching = db.select({ one }).from(waitlistEmails).where(isSelected(db, selection)).limit(limit).as("matching");
  return db.select({ count: sql<number>`count(*)` }).from(matching);
}

/** The newest entries whose campaigns and referring sites the list suggests, and how many of each. */
const RECENT_ENTRIES = 2_000;
const MAX_SUGGESTIONS = 50;

/** Values of the columns about where entries came from, of recent entries. */
export async function recentOrigins(db: Db): Promise<Record<(typeof originColumns)[number], string[]>> {
  const { id, utm_source, utm_campaign, referrer_host } = waitlistEmails;
  const columns = { utm_source, utm_campaign, referrer_host };
  const recent = db.select(columns).from(waitlistEmails).orderBy(desc(id)).limit(RECENT_ENTRIES).as("recent");
  const rows = await db.selectDistinct().from(recent);
  const valuesOf = (name: (typeof originColumns)[number]) =>
    [...new Set(rows.flatMap((row) => row[name] ?? []))].toSorted().slice(0, MAX_SUGGESTIONS);
  return {
    utm_source: valuesOf("utm_source"),
    utm_campaign: valuesOf("utm_campaign"),
    referrer_host: valuesOf("referrer_host"),
  };
}

export type OutboxEmail = typeof emailOutbox.$inferSelect & { kind: EntryEmailKind };

/** An entry with all its emails, oldest first, in one round trip. */
export async function entryWithEmails(db: Db, id: number): Promise<{ entry: Entry; emails: OutboxEmail[] } | null> {
  const entries = db.select().from(waitlistEmails).where(eq(waitlistEmails.id, id));
  const emails = db.select().from(emailOutbox).where(eq(emailOutbox.entry_id, id)).orderBy(asc(emailOutbox.created_at));
  const [[entry], found] = await db.batch([entries, emails]);
  return entry === undefined ? null : { entry, emails: found as OutboxEmail[] };
}

/** Why an address gets no email now; null if it does. */
export async function findSuppression(
  { db, hashKey, now }: { db: Db; hashKey: string; now: () => number },
  email: string,
): Promise<Suppression | null> {
  const hash = await keyedHash("address:v1", email, hashKey);
  return (await findSuppressed(db, [hash], now())).get(hash) ?? null;
}

/** Rows per page of an export: a few hundred kilobytes. */
const EXPORT_PAGE = 2_000;

/** Entries in order of id, in pages that are fetched lazily as the caller consumes them. */
export async function* selectedEntries(
  db: Db,
  selection: EntrySelection,
  pageSize = EXPORT_PAGE,
): AsyncGenerator<Entry[]> {
  for (let last = 0; ; ) {
    const page = await exportPage(db, selection, last, pageSize);
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    last = page.at(-1)?.id ?? last;
  }
}

/** The query of {@link selectedEntries}, exported so that a test can check its plan. */
export function exportPage(db: Db, selection: EntrySelection, afterId: number, limit: number) {
  return db
    .select()
    .from(waitlistEmails)
    .where(and(isSelected(db, selection), gt(waitlistEmails.id, afterId)))
    .orderBy(asc(waitlistEmails.id))
    .limit(limit);
}

function isByAddress({ order, search }: ListQuery): boolean {
  return order === "address" || order === "address-down" || (search !== undefined && search !== "");
}
