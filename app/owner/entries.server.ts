import { and, asc, desc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { type EntryStatus, emailOutbox, waitlistEmails } from "#app/server/db/schema.server.ts";
import { withTimeout } from "#app/server/timeout.ts";
import { type Entry, findEntry } from "#app/waitlist/entries.server.ts";

/*
 * How the owner reads the waitlist: lists, searches, exports. Apart from `waitlist/entries.server.ts`, which holds every
 * statement that writes, because nothing here may change a row and all of it has to stay quick at a million.
 */

export type ListOrder = "newest" | "oldest" | "address" | "address-down";

/** What to list. A search is answered in the order of addresses, whatever `order` says: that is how it is found. */
export interface ListQuery {
  order: ListOrder;
  status?: EntryStatus | undefined;
  source?: string | undefined;
  /** The start of an address, lower-case. */
  search?: string | undefined;
  /** Go on from this entry's id, or back from it. Without either: from the beginning. */
  after?: number | undefined;
  before?: number | undefined;
  /** Entries at most. */
  limit: number;
}

export interface ListPage {
  entries: Entry[];
  /** Whether there are entries before and behind these. */
  hasPrevious: boolean;
  hasNext: boolean;
}

/**
 * A page of the list. Pages are found by the place of an entry in the order, not by counting from the beginning, so the
 * last one is as quick as the first. Where the entry to go on from has been erased, it is the first page.
 */
export async function listEntries(db: Db, query: ListQuery): Promise<ListPage> {
  const back = query.before !== undefined;
  const anchorId = query.before ?? query.after;
  const anchor = anchorId === undefined ? null : await findEntry(db, anchorId);
  const found = await inTime(entriesPage(db, { ...query, limit: query.limit + 1 }, anchor, back));
  const more = found.length > query.limit;
  const entries = found.slice(0, query.limit);
  if (anchor === null) return { entries, hasPrevious: false, hasNext: more };
  return back
    ? { entries: entries.reverse(), hasPrevious: more, hasNext: true }
    : { entries, hasPrevious: true, hasNext: more };
}

/** The statement behind {@link listEntries}; apart from it so that a test can have it explained. */
export function entriesPage(
  db: Db,
  query: ListQuery,
  anchor: Pick<Entry, "id" | "email" | "created_at"> | null,
  back: boolean,
) {
  const byAddress = isByAddress(query);
  const down = (byAddress ? query.order === "address-down" : query.order === "newest") !== back;
  const { id, email, created_at } = waitlistEmails;
  const direction = down ? desc : asc;
  const order = byAddress ? [direction(email)] : [direction(created_at), direction(id)];
  const conditions = [eqIfGiven(query.source), startsWith(query.search), beyond(anchor, byAddress, down)];
  const of = (status: EntryStatus | undefined) =>
    db
      .select()
      .from(waitlistEmails)
      .where(and(hasStatus(status, query.source), ...conditions));
  // The indexes that begin with a source go on with a status, so either status is looked up and the two are merged.
  if (query.source !== undefined && query.status === undefined) {
    const half = (status: EntryStatus) =>
      db.select().from(
        of(status)
          .orderBy(...order)
          .limit(query.limit)
          .as(status),
      );
    const merged = byAddress ? [direction(sql`email`)] : [direction(sql`created_at`), direction(sql`id`)];
    return unionAll(half("active"), half("unsubscribed"))
      .orderBy(...merged)
      .limit(query.limit);
  }
  return of(query.status)
    .orderBy(...order)
    .limit(query.limit);
}

/** An entry by its address, as {@link normaliseEmail} returns it. */
export async function findByEmail(db: Db, email: string): Promise<Entry | null> {
  return (await inTime(db.select().from(waitlistEmails).where(eq(waitlistEmails.email, email))))[0] ?? null;
}

export type OutboxEmail = typeof emailOutbox.$inferSelect;

/** An entry with all its mails, oldest first, in one round trip. */
export async function entryWithEmails(db: Db, id: number): Promise<{ entry: Entry; mails: OutboxEmail[] } | null> {
  const entries = db.select().from(waitlistEmails).where(eq(waitlistEmails.id, id));
  const mails = db.select().from(emailOutbox).where(eq(emailOutbox.entry_id, id)).orderBy(asc(emailOutbox.created_at));
  const [[entry], found] = await inTime(db.batch([entries, mails]));
  return entry === undefined ? null : { entry, mails: found };
}

/** Rows that are fetched at once while the whole list is read: a few hundred kilobytes. */
const EXPORT_PAGE = 2_000;

/** Every entry, in the order of ids, a page at a time: whoever reads no further fetches no further. */
export async function* allEntries(db: Db, pageSize = EXPORT_PAGE): AsyncGenerator<Entry[]> {
  for (let last = 0; ; ) {
    const page = await inTime(exportPage(db, last, pageSize));
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    last = page.at(-1)?.id ?? last;
  }
}

/** The statement behind {@link allEntries}. */
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

/** `likely` steers SQLite to the index that begins with the source; with a search it would take the one without. */
function hasStatus(status: EntryStatus | undefined, source: string | undefined): SQL | undefined {
  if (status === undefined) return undefined;
  const condition = eq(waitlistEmails.status, status);
  return source === undefined ? condition : sql`likely(${condition})`;
}

function eqIfGiven(source: string | undefined): SQL | undefined {
  return source === undefined ? undefined : eq(waitlistEmails.source, source);
}

/** A range instead of LIKE, for which SQLite would not use the index. */
function startsWith(start: string | undefined): SQL | undefined {
  if (start === undefined || start === "") return undefined;
  return and(gte(waitlistEmails.email, start), lt(waitlistEmails.email, `${start}\u{10ffff}`));
}

function beyond(anchor: Pick<Entry, "id" | "email" | "created_at"> | null, byAddress: boolean, down: boolean) {
  if (anchor === null) return undefined;
  const { id, email, created_at } = waitlistEmails;
  if (byAddress) return down ? lt(email, anchor.email) : gt(email, anchor.email);
  const place = sql`(${anchor.created_at}, ${anchor.id})`;
  return down ? sql`(${created_at}, ${id}) < ${place}` : sql`(${created_at}, ${id}) > ${place}`;
}

function inTime<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
