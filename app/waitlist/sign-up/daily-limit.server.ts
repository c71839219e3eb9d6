import { and, desc, eq, gt, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { hasTag } from "#app/server/hashes/mailbox.server.ts";

/** How many emails may be queued for one mailbox within {@link DAILY_LIMIT_PERIOD}, across all its addresses. */
const MAX_EMAILS = 3;

/** How many of these are kept for the address without a tag, so that strangers cannot keep a person out with tagged ones. */
const KEPT_EMAILS = 1;

/** Milliseconds. */
export const DAILY_LIMIT_PERIOD = 24 * 3_600_000;

/** How many emails within {@link DAILY_LIMIT_PERIOD} keep an address from being sent another one. */
export function dailyLimitOf(email: string): number {
  return hasTag(email) ? MAX_EMAILS - KEPT_EMAILS : MAX_EMAILS;
}

/**
 * Selects when the email was queued whose age decides how long a mailbox is at its daily limit; no row below the limit.
 *
 * @param offset the address's limit, minus 1
 */
export function decidingEmail(db: Db, mailboxHash: unknown, since: unknown, offset: Placeholder) {
  return db
    .select({ queued_at: sql<number>`${emailOutbox.created_at}`.as("queued_at") })
    .from(waitlistEmails)
    .innerJoin(emailOutbox, eq(emailOutbox.entry_id, waitlistEmails.id))
    .where(and(eq(waitlistEmails.mailbox_hash, sql`${mailboxHash}`), gt(emailOutbox.created_at, sql`${since}`)))
    .orderBy(desc(emailOutbox.created_at))
    .limit(1)
    .offset(offset);
}

/** The condition that a reminder to an entry leaves its mailbox the emails that are kept for the address without a tag. */
export function hasEmailForReminder(now: number): SQL {
  return sql`(SELECT count(*) FROM waitlist_emails AS same JOIN email_outbox ON entry_id = same.id
    WHERE same.mailbox_hash = ${waitlistEmails.mailbox_hash}
    AND email_outbox.created_at > ${now - DAILY_LIMIT_PERIOD}) < ${MAX_EMAILS - KEPT_EMAILS}`;
}
