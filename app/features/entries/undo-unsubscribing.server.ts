import { and, eq, gte, notLike, type SQL, sql } from "drizzle-orm";
import { UNDO_PERIOD } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { restoreStatement, wasNotSuppressedSince } from "#app/features/entries/bulk/unsubscribe-many.server.ts";
import { API_ACTOR } from "#app/owner/log.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterRecipients } from "#app/server/db/schema/letters.server.ts";
import { ownerLog } from "#app/server/db/schema/owner.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";

/**
 * Until when an owner can put back a person whom an owner unsubscribed alone, on these pages; null if they cannot. A program
 * with a key may have passed on what the person asked of it, so what it did stays.
 */
export async function undoableUntil(db: Db, entry: Entry, now: EpochMillis): Promise<EpochMillis | null> {
  const { id, status, unsubscribed_at: at, unsubscribe_reason, bulk_action_id } = entry;
  const isByOwner = status === "unsubscribed" && unsubscribe_reason === "owner" && bulk_action_id === null;
  if (!isByOwner || at === null || at + UNDO_PERIOD <= now) return null;
  const { action, actor, details, created_at } = ownerLog;
  const isThis = sql`${details} ->> 'entryId' = ${id}`;
  const [logged] = await db
    .select({ id: ownerLog.id })
    .from(ownerLog)
    .where(and(eq(action, "unsubscribe"), isThis, gte(created_at, at), notLike(actor, `${API_ACTOR}%`)))
    .limit(1);
  const [kept] = await db.select({ id: waitlistEmails.id }).from(waitlistEmails).where(isUndoable(entry, now));
  return logged === undefined || kept === undefined ? null : at + UNDO_PERIOD;
}

/** Restores an entry, and no longer counts it as unsubscribed by a letter. @returns whether anything changed */
export async function undoUnsubscribing(db: Db, entry: Entry, now: EpochMillis): Promise<boolean> {
  if ((await undoableUntil(db, entry, now)) === null) return false;
  const { entry_id, unsubscribed_at } = letterRecipients;
  const isStill = sql`EXISTS (SELECT 1 FROM ${waitlistEmails} WHERE ${isUndoable(entry, now)})`;
  const uncount = db
    .update(letterRecipients)
    .set({ unsubscribed_at: null })
    .where(and(eq(entry_id, entry.id), eq(unsubscribed_at, entry.unsubscribed_at ?? 0), isStill));
  const [, restored] = await db.batch([uncount, restoreStatement(db, isUndoable(entry, now))]);
  return restored.length > 0;
}

/** The condition that an entry is unsubscribed as it was read, and its address was not suppressed since. */
function isUndoable({ id, unsubscribed_at }: Entry, now: EpochMillis): SQL {
  return sql`(waitlist_emails.id = ${id} AND waitlist_emails.status = 'unsubscribed'
    AND waitlist_emails.unsubscribe_reason = 'owner' AND waitlist_emails.bulk_action_id IS NULL
    AND waitlist_emails.unsubscribed_at = ${unsubscribed_at} AND ${wasNotSuppressedSince(now)})`;
}
