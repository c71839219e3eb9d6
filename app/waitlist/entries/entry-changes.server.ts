import { asc, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { apiKeys } from "#app/server/db/schema/api-keys.server.ts";
import { entryChanges, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { DAY, type EpochMillis, HOUR, MINUTE } from "#app/server/time/units.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import { CHANGES_KEPT_DAYS } from "#app/waitlist/entries/retention.ts";

/*
 * What programs that keep a copy of the list ask for. Triggers record changes, so that no statement can forget one. New entries
 * are found by their ids, which only grow: a sign-up writes no row for it. See docs/decisions/043-what-has-changed.md.
 */

/** How far a walk from a time begins earlier: clocks differ, and a sign-up has the time at which its request began. */
const CLOCK_MARGIN = MINUTE;

/** How far a walk through the list has come. Everything up to there was returned as it was then, or later. */
export interface ChangeCursor {
  /** The last change that was looked at. */
  change: number;
  /** The last entry that was looked at for the first time. */
  id: number;
  /** Until when all changes were returned: usually when this was asked. */
  at: EpochMillis;
}

export interface ChangedPage {
  /** In the order of their last change, then of joining. */
  entries: Entry[];
  /** Ids of entries that were erased. */
  erased: number[];
  cursor: ChangeCursor;
  hasNext: boolean;
}

/** @param since null: a walk through the whole list. @public for the API, which can be removed */
export async function startOfWalk(db: Db, since: EpochMillis | null, now: EpochMillis): Promise<ChangeCursor> {
  if (since === null) {
    const [last] = await db.all<{ change: number }>(sql`SELECT coalesce(max(at), 0) AS change FROM entry_changes`);
    return { change: last?.change ?? 0, id: 0, at: now };
  }
  // A client whose clock is ahead must not skip what happens meanwhile.
  const from = Math.min(since, now);
  const start = from - CLOCK_MARGIN;
  // By the index on times: SQLite would look for the lowest id in the table.
  const [before] = await db.all<{ id: number }>(sql`SELECT coalesce(
    (SELECT min(id) - 1 FROM waitlist_emails INDEXED BY waitlist_emails_created_at WHERE created_at >= ${start}),
    (SELECT max(id) FROM waitlist_emails), 0) AS id`);
  return { change: start - 1, id: before?.id ?? 0, at: from };
}

/**
 * The next page of a walk: what has changed of the entries behind the cursor, then the next entries before it. A batch is one
 * transaction, so an entry before the cursor is as it was after the last change on the page, and its own changes up to there need not
 * be repeated.
 *
 * @public for the API, which can be removed
 */
export async function listChanged(
  db: Db,
  cursor: ChangeCursor,
  { limit, now }: { limit: number; now: EpochMillis },
): Promise<ChangedPage> {
  const { at } = entryChanges;
  const { id } = waitlistEmails;
  const recorded = db.select().from(entryChanges).where(gt(at, cursor.change)).orderBy(asc(at)).limit(limit);
  const [changes, existing, next] = await db.batch([
    recorded,
    db.select().from(waitlistEmails).where(sql`${id} IN (SELECT entry_id FROM (${recorded}))`),
    db
      .select()
      .from(waitlistEmails)
      .where(gt(id, cursor.id))
      .orderBy(asc(id))
      .limit(limit + 1),
  ]);
  const byId = new Map(existing.map((entry) => [entry.id, entry]));
  const ids = [...new Set(changes.map((change) => change.entry_id).reverse())].reverse();
  const changed = ids.flatMap((changedId) => byId.get(changedId) ?? []).filter((entry) => entry.id <= cursor.id);
  const room = changes.length < limit ? limit - changed.length : 0;
  const joined = next.slice(0, room);
  const last = changes.at(-1)?.at ?? cursor.change;
  // Further changes wait behind a full page. D1's clock may be behind that of the cursor.
  const until = Math.max(cursor.at, Math.min(last, now));
  return {
    entries: [...changed, ...joined],
    erased: ids.filter((changedId) => !byId.has(changedId)),
    cursor: {
      change: last,
      id: joined.at(-1)?.id ?? cursor.id,
      at: changes.length < limit ? now : until,
    },
    hasNext: changes.length === limit || next.length > room,
  };
}

/** Since when every change is on record: a key could read entries all the time. Null: none can now. @public for the API, which can be removed */
export async function changesKeptSince(db: Db, now: EpochMillis): Promise<EpochMillis | null> {
  const { scopes, created_at, revoked_at } = apiKeys;
  const oldest = now - CHANGES_KEPT_DAYS * DAY - CLOCK_MARGIN;
  const readers = await db
    .select({ created_at, revoked_at })
    .from(apiKeys)
    .where(sql`instr(${scopes}, '"entries:read"') AND ${or(isNull(revoked_at), gt(revoked_at, oldest))}`);
  let since = now;
  // A key that worked when another one was made leaves no gap before that one.
  for (const { created_at: from, revoked_at: until } of readers.toSorted((a, b) => b.created_at - a.created_at)) {
    if ((until ?? now) >= since) since = Math.min(since, from);
  }
  return since === now ? null : Math.max(since, oldest);
}

/** Deletes what is older than {@link CHANGES_KEPT_DAYS}, the oldest first, but for an hour in which a walk may begin. */
export async function forgetChanges(db: Db, now: EpochMillis, limit: number): Promise<void> {
  const { at } = entryChanges;
  const old = db
    .select({ at })
    .from(entryChanges)
    .where(lt(at, now - CHANGES_KEPT_DAYS * DAY - HOUR))
    .orderBy(asc(at))
    .limit(limit);
  await db.delete(entryChanges).where(inArray(at, old));
}
