import { and, asc, desc, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { ListOrder } from "#app/server/db/schema/saved-views.server.ts";
import { findSuppressed } from "#app/server/db/suppressions.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { type Entry, findEntry } from "#app/waitlist/entries/entries.server.ts";
import { isSelected } from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/filters.server.ts";

/** Filters, order and cursor of a list. A search always sorts by address. */
export interface ListQuery extends EntrySelection {
  order: ListOrder;
  /** Id of the entry to continue after, or to go back from. Without either: the first page. */
  after?: number | undefined;
  before?: number | undefined;
  /** That of an entry to continue after, also once that is erased. */
  afterCursor?: Cursor | undefined;
  limit: number;
}

export type ListedEntry = Entry & { isSuppressed: boolean };

export interface ListPage {
  entries: ListedEntry[];
  hasPrevious: boolean;
  hasNext: boolean;
}

/** The address counts in a list by address only. */
type Cursor = Pick<Entry, "id" | "created_at"> & { email?: string };

/**
 * A page of the list. "Newest" and "oldest" go by the time of joining, which imported people bring with them. Keyset
 * pagination: the last page is as fast as the first. If the cursor's entry has been erased, returns the first page.
 */
export async function listEntries(db: Db, query: ListQuery): Promise<ListPage> {
  const cursorId = query.before ?? query.after;
  const cursor = query.afterCursor ?? (cursorId === undefined ? null : await findEntry(db, cursorId));
  const back = query.before !== undefined && cursor !== null;
  const found = await findPage(db, { ...query, limit: query.limit + 1 }, cursor, back);
  const more = found.length > query.limit;
  const entries = await withSuppression(db, found.slice(0, query.limit), query.now ?? Date.now());
  if (cursor === null) return { entries, hasPrevious: false, hasNext: more };
  return back
    ? { entries: entries.reverse(), hasPrevious: more, hasNext: true }
    : { entries, hasPrevious: true, hasNext: more };
}

/** An entry as the list has it. @public for the API, which can be removed */
export async function findListedEntry(db: Db, id: number, now: EpochMillis): Promise<ListedEntry | null> {
  const entry = await findEntry(db, id);
  return entry === null ? null : ((await withSuppression(db, [entry], now))[0] ?? null);
}

export async function withSuppression(db: Db, entries: Entry[], now: EpochMillis): Promise<ListedEntry[]> {
  const hashes = entries.flatMap(({ address_hash: hash }) => hash ?? []);
  const suppressed = await findSuppressed(db, hashes, now);
  return entries.map((entry) => ({ ...entry, isSuppressed: suppressed.has(entry.address_hash ?? "") }));
}

/** How many entries of a filtered list are looked at one by one, before the list is scanned. */
const NEAREST = 10_000;

/** A filter that many entries match fills its page from the nearest ones; only a rare one needs a scan of the list. */
async function findPage(db: Db, query: ListQuery, cursor: Cursor | null, back: boolean): Promise<Entry[]> {
  if (query.order.startsWith("address") || query.search) return pageByAddress(db, query, cursor, back);
  const nearest = await pageByTime(db, query, cursor, back, NEAREST);
  const isWhole = nearest.length === query.limit || isSelected(db, query) === undefined;
  return isWhole ? nearest : scanByTime(db, query, cursor, back);
}

function pageByAddress(db: Db, query: ListQuery, cursor: Cursor | null, back: boolean) {
  const descending = (query.order === "address-down") !== back;
  const condition = isSelected(db, query);
  const { email } = waitlistEmails;
  // Under a filter, a scan that keeps the top page is faster than walking the index past rows that do not match. Most
  // entries were sent an email, so under that filter the walk is short, unless few have the answer that is asked for.
  const isDense = query.email?.state === "sent" && !query.search && query.answers === undefined;
  const key = condition === undefined || isDense ? sql`${email}` : sql`+${email}`;
  const isPast = cursor === null ? undefined : sql`${key} ${sql.raw(descending ? "<" : ">")} ${cursor.email}`;
  return db
    .select()
    .from(waitlistEmails)
    .where(and(condition, isPast))
    .orderBy(descending ? desc(key) : asc(key))
    .limit(query.limit);
}

/**
 * Walks the index on times.
 *
 * @param among under a filter, ends with the next so many entries, and those that joined at the same time as the last
 */
function pageByTime(db: Db, query: ListQuery, cursor: Cursor | null, back: boolean, among: number) {
  const { id, created_at } = waitlistEmails;
  const { isPast, direction, descending } = byTime(sql`${created_at}`, query, cursor, back);
  const condition = isSelected(db, query);
  const last = db.select({ created_at }).from(waitlistEmails).where(isPast);
  const farthest = last.orderBy(direction(created_at), direction(id)).limit(1).offset(among);
  const end = sql`coalesce(${farthest}, ${descending ? 0 : Number.MAX_SAFE_INTEGER})`;
  const isNear = sql`${created_at} ${sql.raw(descending ? ">=" : "<=")} ${end}`;
  return db
    .select()
    .from(waitlistEmails)
    .where(and(condition, isPast, condition === undefined ? undefined : isNear))
    .orderBy(direction(created_at), direction(id))
    .limit(query.limit);
}

/** Scans the table. Sorts ids only: whole rows would be copied each time that the scan finds a newer one. */
function scanByTime(db: Db, query: ListQuery, cursor: Cursor | null, back: boolean) {
  const { id, created_at } = waitlistEmails;
  // The unary plus keeps SQLite from using the index.
  const key = sql`+${created_at}`;
  const { isPast, direction } = byTime(key, query, cursor, back);
  const ids = db
    .select({ id })
    .from(waitlistEmails)
    .where(and(isSelected(db, query), isPast))
    .orderBy(direction(key), direction(id))
    .limit(query.limit);
  return db.select().from(waitlistEmails).where(inArray(id, ids)).orderBy(direction(key), direction(id));
}

/** The order of joining, and what it leaves out up to the cursor. Among those who joined at once, the id decides. */
function byTime(time: SQL, { order }: ListQuery, cursor: Cursor | null, back: boolean) {
  const descending = (order === "newest") !== back;
  const operator = sql.raw(descending ? "<" : ">");
  const position = cursor && sql`(${cursor.created_at}, ${cursor.id})`;
  const isPast = position === null ? undefined : sql`(${time}, ${waitlistEmails.id}) ${operator} ${position}`;
  return { isPast, direction: descending ? desc : asc, descending };
}
