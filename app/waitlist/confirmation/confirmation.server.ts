import { and, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, randomUuid } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { runBatchByName } from "#app/server/db/sql-batch.server.ts";
import { forgetErasure } from "#app/server/db/suppressions.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { type Confirmation, REMIND_AFTER } from "#app/waitlist/confirmation/confirmation.ts";
import { HAS_EMAIL_FOR_REMINDER, reminderLimitValues } from "#app/waitlist/sign-up/daily-limit.server.ts";

const MAX_REMINDERS = 200;

/** Entries that joined earlier get no reminder, so that {@link enqueueReminders} reads few rows. */
const REMIND_UNTIL: Millis = 10 * 24 * 3_600_000;

export const isConfirmation: Record<Confirmation, SQL> = {
  "not-asked": sql`(${waitlistEmails.confirm_by} IS NULL AND ${waitlistEmails.confirmed_at} IS NULL)`,
  unconfirmed: sql`(${waitlistEmails.confirm_by} IS NOT NULL AND ${waitlistEmails.confirmed_at} IS NULL)`,
  confirmed: sql`${isNotNull(waitlistEmails.confirmed_at)}`,
};

/**
 * Confirms an entry's address and queues its welcome email, in one D1 batch. Atomic: of concurrent calls one confirms.
 *
 * @param addressChangedAt that of the link, which is for this address only
 * @param after further statements for the same batch
 * @returns the address; null if nothing changed: the entry is confirmed already, unsubscribed, erased or has another address
 */
export async function confirmEntry(
  db: Db,
  id: number,
  now: EpochMillis,
  {
    addressChangedAt = null,
    after = [],
  }: { addressChangedAt?: EpochMillis | null; after?: readonly BatchItem<"sqlite">[] | undefined } = {},
): Promise<string | null> {
  const isSameAddress = sql`${waitlistEmails.address_changed_at} IS ${addressChangedAt}`;
  const confirm = db
    .update(waitlistEmails)
    .set({ confirmed_at: now, changed_at: now })
    .where(
      and(eq(waitlistEmails.id, id), eq(waitlistEmails.status, "active"), isConfirmation.unconfirmed, isSameAddress),
    )
    .returning({ email: waitlistEmails.email });
  // Someone who confirms a corrected address may have been welcomed.
  const hasConfirmed = and(eq(waitlistEmails.id, id), sql`changes() > 0`, isNull(waitlistEmails.welcomed_at));
  // Where the address was given.
  const data = sql`(SELECT data FROM email_outbox WHERE dedupe_key = 'confirm:' || ${waitlistEmails.id})`;
  const welcome = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "welcome", { id: crypto.randomUUID(), now, data }, hasConfirmed))
    .onConflictDoNothing();
  const isQueued = and(isNull(emailOutbox.done_at), lte(emailOutbox.leased_until, now));
  const cancel = db
    .delete(emailOutbox)
    .where(and(eq(emailOutbox.entry_id, id), inArray(emailOutbox.kind, ["confirm", "confirm-reminder"]), isQueued));
  // The erasure is forgotten last: statements of features may ask what is known of it.
  const [[confirmed]] = await db.batch([confirm, welcome, cancel, ...after, forgetErasure(db, id)]);
  return confirmed?.email ?? null;
}

/**
 * Queues one reminder for each unconfirmed entry whose confirmation email was sent {@link REMIND_AFTER} ago, at most
 * {@link MAX_REMINDERS}. One call queues at most one for a mailbox, and none beyond its daily limit: later calls do.
 * Reads the sign-ups of a week.
 */
export async function enqueueReminders(db: Db, now: EpochMillis): Promise<number> {
  const joined_after = now - REMIND_UNTIL;
  const { marked } = await runBatchByName<{ marked: { id: number }[] }>(db, {
    marked: {
      text: MARK_REMINDED,
      values: { now, joined_after, most: MAX_REMINDERS, sent_before: now - REMIND_AFTER, ...reminderLimitValues(now) },
    },
    reminders: { text: QUEUE_REMINDERS, values: { now, joined_after }, parts: { random_uuid: randomUuid } },
  });
  return marked.length;
}

/** Marks the entries to remind, one for each mailbox: the smallest id is its oldest, because ids grow with time. */
const MARK_REMINDED = `UPDATE waitlist_emails SET reminded_at = :now
  WHERE id IN (
    SELECT min(id) FROM waitlist_emails
    WHERE created_at > :joined_after AND created_at <= :sent_before AND status = 'active'
      AND confirm_by IS NOT NULL AND confirmed_at IS NULL AND reminded_at IS NULL
      AND EXISTS (
        SELECT 1 FROM email_outbox WHERE dedupe_key = 'confirm:' || waitlist_emails.id AND done_at <= :sent_before)
      AND ${HAS_EMAIL_FOR_REMINDER}
    GROUP BY coalesce(mailbox_hash, id)
    ORDER BY min(created_at)
    LIMIT :most)
  RETURNING id`;

/**
 * Queues the reminders. They keep the confirmation email's priority, so that those to unverified sign-ups stay within their
 * share of the send limit.
 */
const QUEUE_REMINDERS = `INSERT INTO email_outbox (id, entry_id, kind, dedupe_key, priority, data, next_attempt_at, created_at)
  SELECT {random_uuid}, waitlist_emails.id, 'confirm-reminder', 'confirm-reminder:' || waitlist_emails.id,
    first.priority, first.data, :now, :now
  FROM waitlist_emails JOIN email_outbox AS first ON first.dedupe_key = 'confirm:' || waitlist_emails.id
  WHERE waitlist_emails.created_at > :joined_after AND waitlist_emails.reminded_at = :now
  ON CONFLICT DO NOTHING`;
