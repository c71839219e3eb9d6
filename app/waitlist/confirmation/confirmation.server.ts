import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "#app/server/db/client.server.ts";
import { entryEmailRow, randomUuid } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { Confirmation } from "#app/server/db/schema/entry-filter.ts";
import { forgetErasure } from "#app/server/db/suppressions.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { REMIND_AFTER } from "#app/waitlist/confirmation/confirmation.ts";
import { hasEmailForReminder } from "#app/waitlist/sign-up/daily-limit.server.ts";

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
 * @param after further statements for the same batch
 * @returns the address; null if nothing changed: the entry is confirmed already, unsubscribed or erased
 */
export async function confirmEntry(
  db: Db,
  id: number,
  now: EpochMillis,
  after: readonly BatchItem<"sqlite">[] = [],
): Promise<string | null> {
  const confirm = db
    .update(waitlistEmails)
    .set({ confirmed_at: now })
    .where(and(eq(waitlistEmails.id, id), eq(waitlistEmails.status, "active"), isConfirmation.unconfirmed))
    .returning({ email: waitlistEmails.email });
  const hasConfirmed = and(eq(waitlistEmails.id, id), sql`changes() > 0`);
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
  const { id, status, created_at, reminded_at, mailbox_hash } = waitlistEmails;
  const sent = db
    .select({ id: emailOutbox.id })
    .from(emailOutbox)
    .where(and(eq(emailOutbox.dedupe_key, sql`'confirm:' || ${id}`), lte(emailOutbox.done_at, now - REMIND_AFTER)));
  // Ids grow with time: the oldest entry of each mailbox.
  const due = db
    .select({ id: sql<number>`min(${id})` })
    .from(waitlistEmails)
    .where(
      and(
        gt(created_at, now - REMIND_UNTIL),
        lte(created_at, now - REMIND_AFTER),
        eq(status, "active"),
        isConfirmation.unconfirmed,
        isNull(reminded_at),
        exists(sent),
        hasEmailForReminder(now),
      ),
    )
    .groupBy(sql`coalesce(${mailbox_hash}, ${id})`)
    .orderBy(asc(sql`min(${created_at})`))
    .limit(MAX_REMINDERS);
  const mark = db.update(waitlistEmails).set({ reminded_at: now }).where(inArray(id, due)).returning({ id });
  // Reminders to unverified sign-ups must not use more than their share of the send limit either.
  const first = (column: "priority" | "data") =>
    sql`(SELECT ${sql.raw(column)} FROM email_outbox WHERE dedupe_key = 'confirm:' || waitlist_emails.id)`;
  const email = { id: randomUuid, now, priority: first("priority"), data: first("data") };
  const isMarked = and(gt(created_at, now - REMIND_UNTIL), eq(reminded_at, now));
  const reminders = db
    .insert(emailOutbox)
    .select(entryEmailRow(db, "confirm-reminder", email, isMarked))
    .onConflictDoNothing();
  const [marked] = await db.batch([mark, reminders]);
  return marked.length;
}
