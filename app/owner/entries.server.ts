import { and, asc, desc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { type EntryStatus, emailOutbox, waitlistEmails } from "#app/server/db/schema.server.ts";
import { withTimeout } from "#app/server/timeout.ts";
import { type Entry, findEntry } from "#app/waitlist/entries.server.ts";

/*
 * Read-only queries behind the owner's lists, searches and exports. Statements that write live in
 * `waitlist/entries.server.ts`. Every query here must stay fast with a million entries.
 */

export type ListOrder = "newest" | "oldest" | "address" | "address-down";

/** Filters, order and cursor of a list. A search always sorts by address, because it uses the address index. */
export interface ListQuery {
  order: ListOrder;
  status?: EntryStatus | undefined;
  source?: string | undefined;
  /** Address prefix, lower case. */
  search?: string | undefined;
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

type Cursor = Pick<Entry, "id" | "email" | "created_at">;

/**
 * A page of the list. Keyset pagination: the last page is as fast as the first. If the cursor's entry has been erased,
 * returns the first page.
 */
export async function listEntries(db: Db, query: ListQuery): Promise<ListPage> {
  const back = query.before !== undefined;
  const cursorId = query.before ?? query.after;
  const cursor = cursorId === undefined ? null : await findEntry(db, cursorId);
  const found = await withDbTimeout(entriesPage(db, { ...query, limit: query.limit + 1 }, cursor, back));
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
  const { id, email, created_at } = waitlistEmails;
  const direction = descending ? desc : asc;
  const order = byAddress ? [direction(email)] : [direction(created_at), direction(id)];
  const conditions = [hasSource(query.source), hasPrefix(query.search), isPastCursor(cursor, byAddress, descending)];
  const select = (status: EntryStatus | undefined) =>
    db
      .select()
      .from(waitlistEmails)
      .where(and(hasStatus(status, query.source), ...conditions));
  // Indexes that begin with source continue with status, so each status is queried separately and the two merged.
  if (query.source !== undefined && query.status === undefined) {
    const half = (status: EntryStatus) =>
      db.select().from(
        select(status)
          .orderBy(...order)
          .limit(query.limit)
          .as(status),
      );
    const merged = byAddress ? [direction(sql`email`)] : [direction(sql`created_at`), direction(sql`id`)];
    return unionAll(half("active"), half("unsubscribed"))
      .orderBy(...merged)
      .limit(query.limit);
  }
  return select(query.status)
    .orderBy(...order)
    .limit(query.limit);
}

/** Finds an entry by its address, normalised by {@link normaliseEmail}. */
export async function findByEmail(db: Db, email: string): Promise<Entry | null> {
  return (await withDbTimeout(db.select().from(waitlistEmails).where(eq(waitlistEmails.email, email))))[0] ?? null;
}

export type OutboxEmail = typeof emailOutbox.$inferSelect;

/** An entry with all its emails, oldest first, in one round trip. */
export async function entryWithEmails(db: Db, id: number): Promise<{ entry: Entry; emails: OutboxEmail[] } | null> {
  const entries = db.select().from(waitlistEmails).where(eq(waitlistEmails.id, id));
  const emails = db.select().from(emailOutbox).where(eq(emailOutbox.entry_id, id)).orderBy(asc(emailOutbox.created_at));
  const [[entry], found] = await withDbTimeout(db.batch([entries, emails]));
  return entry === undefined ? null : { entry, emails: found };
}

/** Rows per page of an export: a few hundred kilobytes. */
const EXPORT_PAGE = 2_000;

/** Every entry in order of id, in pages that are fetched lazily as the caller consumes them. */
export async function* allEntries(db: Db, pageSize = EXPORT_PAGE): AsyncGenerator<Entry[]> {
  for (let last = 0; ; ) {
    const page = await withDbTimeout(exportPage(db, last, pageSize));
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    last = page.at(-1)?.id ?? last;
  }
}

/** The query of {@link allEntries}, exported so that a test can check its plan. */
export function exportPage(db: Db, afterId: number, limit: number) {
  return db
    .select()
    .from(waitlistEmails)
    .where(gt(waitlistEmails.id, afterId))
    .orderBy(asc(waitlistEmails.id))
    .limit(limit);
}

function isByAddress({ order, search }: ListQuery): boolean {
  return order === "address" || order === "address-down" || (search !== undefined && search !== "");
}

/** `likely` makes SQLite choose the index that begins with source, even with a search. */
function hasStatus(status: EntryStatus | undefined, source: string | undefined): SQL | undefined {
  if (status === undefined) return undefined;
  const condition = eq(waitlistEmails.status, status);
  return source === undefined ? condition : sql`likely(${condition})`;
}

function hasSource(source: string | undefined): SQL | undefined {
  return source === undefined ? undefined : eq(waitlistEmails.source, source);
}

/** A range, because SQLite would not use the index for LIKE. */
function hasPrefix(prefix: string | undefined): SQL | undefined {
  if (prefix === undefined || prefix === "") return undefined;
  return and(gte(waitlistEmails.email, prefix), lt(waitlistEmails.email, `${prefix}\u{10ffff}`));
}

function isPastCursor(cursor: Cursor | null, byAddress: boolean, descending: boolean) {
  if (cursor === null) return undefined;
  const { id, email, created_at } = waitlistEmails;
  if (byAddress) return descending ? lt(email, cursor.email) : gt(email, cursor.email);
  const position = sql`(${cursor.created_at}, ${cursor.id})`;
  return descending ? sql`(${created_at}, ${id}) < ${position}` : sql`(${created_at}, ${id}) > ${position}`;
}

function withDbTimeout<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
