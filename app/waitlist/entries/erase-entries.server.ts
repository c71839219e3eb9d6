import { and, eq, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { erasedTotals, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { storedStats } from "#app/server/db/schema/statistics.server.ts";
import { rememberErasure } from "#app/server/db/suppressions.server.ts";
import { monthsBefore, utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";
import { PIONEERS_KEY } from "#app/waitlist/entries/pioneers.server.ts";
import { WAITLIST_RETENTION_MONTHS } from "#app/waitlist/entries/retention.ts";

/** Deletes an entry and everything linked to it. A trigger remembers a person who had left by themselves. */
export async function eraseEntry(db: Db, id: number, now: EpochMillis): Promise<boolean> {
  const [erased] = await db.batch(eraseStatements(db, eq(waitlistEmails.id, id), now));
  return erased.length > 0;
}

/** The same at the person's own request, after which no one else adds them again, even if they had not left. */
export async function eraseOwnEntry(db: Db, id: number, addressHash: string, now: EpochMillis): Promise<boolean> {
  const erase = eraseStatements(db, eq(waitlistEmails.id, id), now);
  const [, erased] = await db.batch([rememberErasure(db, id, addressHash, now), ...erase]);
  return erased.length > 0;
}

/** The statements that delete entries and everything linked to them, for a batch. The first one returns their ids. */
export function eraseStatements(db: Db, condition: SQL, now: EpochMillis) {
  const erase = db.delete(waitlistEmails).where(condition).returning({ id: waitlistEmails.id });
  return [erase, addToErasedTotal(db, now), deleteStats(db)] as const;
}

/**
 * Deletes entries older than {@link WAITLIST_RETENTION_MONTHS}, with their queued emails.
 *
 * @param unconfirmed whether to delete those that were not confirmed in time as well, which reads every entry older than
 *   {@link CONFIRM_PERIOD}
 */
export async function eraseExpired(db: Db, now: EpochMillis, { unconfirmed = false } = {}): Promise<number> {
  const { created_at, confirm_by } = waitlistEmails;
  const isOverdue = and(lte(created_at, now - CONFIRM_PERIOD), lte(confirm_by, now), isConfirmation.unconfirmed);
  const isOld = lt(created_at, monthsBefore(now, WAITLIST_RETENTION_MONTHS));
  const [erased] = await db.batch(eraseStatements(db, unconfirmed ? sql`(${isOld} OR (${isOverdue}))` : isOld, now));
  return erased.length;
}

/** Adds the number of rows that the previous writing statement of the batch deleted to the day's total. */
function addToErasedTotal(db: Db, now: EpochMillis) {
  const day = utcDay(now);
  return db
    .insert(erasedTotals)
    .select(sql`SELECT ${day}, changes() WHERE changes() > 0`)
    .onConflictDoUpdate({ target: erasedTotals.day, set: { count: sql`${erasedTotals.count} + excluded.count` } });
}

/**
 * Deletes the stored stats if the previous statement erased anything: they may name a campaign that only the erased
 * person had, and could identify them by it.
 */
function deleteStats(db: Db) {
  return db.delete(storedStats).where(sql`changes() > 0 AND ${storedStats.key} <> ${PIONEERS_KEY}`);
}
