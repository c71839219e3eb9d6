import { and, eq, gt, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/* The statements with which an owner unsubscribes many entries, and puts them back. */

/** Entries by their ids: after the first of these, up to the last. */
interface Range {
  after: number;
  upTo: number;
}

/**
 * The statements that unsubscribe the active entries of a range and delete their queued emails, for a batch. Entries keep
 * the action's id until their person decides otherwise. An email that is being sent keeps its row, as in
 * `unsubscribeEntry`.
 *
 * @param condition of the first statement
 */
export function unsubscribeStatements(
  db: Db,
  actionId: number,
  condition: SQL,
  { after, upTo }: Range,
  now: EpochMillis,
) {
  const { id, status, bulk_action_id, unsubscribed_at } = waitlistEmails;
  const unsubscribe = db
    .update(waitlistEmails)
    .set({ status: "unsubscribed", unsubscribed_at: now, unsubscribe_reason: "owner", bulk_action_id: actionId })
    .where(and(condition, eq(status, "active")))
    .returning({ id });
  // Its own condition, because `changes()` does not say which entries the statement above has changed.
  const isUnsubscribed = and(eq(bulk_action_id, actionId), eq(unsubscribed_at, now), eq(status, "unsubscribed"));
  const entries = db
    .select({ id })
    .from(waitlistEmails)
    .where(and(gt(id, after), lte(id, upTo), isUnsubscribed));
  const { entry_id, done_at, leased_until } = emailOutbox;
  const cancel = db.delete(emailOutbox).where(and(inArray(entry_id, entries), isNull(done_at), lte(leased_until, now)));
  return [unsubscribe, cancel] as const;
}

/**
 * The condition on entries that an action unsubscribed, and that have not left since. What their person does (unsubscribe,
 * complain, rejoin) takes the action's id off the entry; here, their address must not have been suppressed since either.
 */
export function isRestorable(actionId: number, now: EpochMillis): SQL {
  return sql`(${waitlistEmails.bulk_action_id} = ${actionId} AND ${waitlistEmails.status} = 'unsubscribed'
    AND ${wasNotSuppressedSince(now)})`;
}

/** The condition that an unsubscribed entry's address was not suppressed since, by a bounce or a complaint. */
export function wasNotSuppressedSince(now: EpochMillis): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM suppressions WHERE suppressions.address_hash = waitlist_emails.address_hash
    AND (suppressions.until IS NULL OR suppressions.until > ${now})
    AND suppressions.created_at >= waitlist_emails.unsubscribed_at)`;
}

export async function countRestorable(db: Db, actionId: number, now: EpochMillis): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(waitlistEmails)
    .where(isRestorable(actionId, now));
  return row?.count ?? 0;
}

/** The statement that puts entries back on the list as they were. Their consent stays the one that they gave. */
export function restoreStatement(db: Db, condition: SQL) {
  return db
    .update(waitlistEmails)
    .set({ status: "active", unsubscribed_at: null, unsubscribe_reason: null, bulk_action_id: null })
    .where(condition)
    .returning({ id: waitlistEmails.id });
}
