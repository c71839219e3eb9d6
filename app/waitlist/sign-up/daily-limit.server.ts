import { hasTag } from "#app/server/hashes/mailbox.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/** How many emails may be queued for one mailbox within {@link DAILY_LIMIT_PERIOD}, across all its addresses. */
const MAX_EMAILS = 3;

/** How many of these are kept for the address without a tag, so that strangers cannot keep a person out with tagged ones. */
const KEPT_EMAILS = 1;

export const DAILY_LIMIT_PERIOD: Millis = 24 * 3_600_000;

/** Selects when the email was queued whose age decides how long a mailbox is at its daily limit; no row below the limit. */
export const DECIDING_EMAIL = `SELECT email_outbox.created_at AS queued_at
  FROM waitlist_emails JOIN email_outbox ON email_outbox.entry_id = waitlist_emails.id
  WHERE waitlist_emails.mailbox_hash = :mailbox_hash AND email_outbox.created_at > :day_ago
  ORDER BY email_outbox.created_at DESC LIMIT 1 OFFSET :limit_offset`;

export function dailyLimitValues(email: string, mailboxHash: string | null, now: EpochMillis) {
  const limit = hasTag(email) ? MAX_EMAILS - KEPT_EMAILS : MAX_EMAILS;
  return { mailbox_hash: mailboxHash, day_ago: now - DAILY_LIMIT_PERIOD, limit_offset: limit - 1 };
}

/** The condition that a reminder to an entry leaves its mailbox the emails that are kept for the address without a tag. */
export const HAS_EMAIL_FOR_REMINDER = `(
    SELECT count(*) FROM waitlist_emails AS same JOIN email_outbox ON email_outbox.entry_id = same.id
    WHERE same.mailbox_hash = waitlist_emails.mailbox_hash AND email_outbox.created_at > :day_ago) < :reminder_limit`;

export function reminderLimitValues(now: EpochMillis) {
  return { day_ago: now - DAILY_LIMIT_PERIOD, reminder_limit: MAX_EMAILS - KEPT_EMAILS };
}
