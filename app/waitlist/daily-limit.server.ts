import { and, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";

/** How many emails may be queued for one mailbox within {@link DAILY_LIMIT_PERIOD}, across all its addresses. */
const MAX_EMAILS = 3;

/** Milliseconds. */
export const DAILY_LIMIT_PERIOD = 24 * 3_600_000;

/**
 * Selects when the email was queued whose age decides how long a mailbox is at its daily limit; no row below the limit.
 *
 * @param mailbox the mailbox's hash
 * @param since the start of the period
 */
export function decidingEmail(db: Db, mailboxHash: unknown, since: unknown) {
  return db
    .select({ queued_at: sql<number>`${emailOutbox.created_at}`.as("queued_at") })
    .from(waitlistEmails)
    .innerJoin(emailOutbox, eq(emailOutbox.entry_id, waitlistEmails.id))
    .where(and(eq(waitlistEmails.mailbox_hash, sql`${mailboxHash}`), gt(emailOutbox.created_at, sql`${since}`)))
    .orderBy(desc(emailOutbox.created_at))
    .limit(1)
    .offset(MAX_EMAILS - 1);
}

/** The condition that the mailbox of an entry is below its daily limit. */
export function isBelowDailyLimit(now: number): SQL {
  return sql`(SELECT count(*) FROM waitlist_emails AS same JOIN email_outbox ON entry_id = same.id
    WHERE same.mailbox_hash = ${waitlistEmails.mailbox_hash}
    AND email_outbox.created_at > ${now - DAILY_LIMIT_PERIOD}) < ${MAX_EMAILS}`;
}
