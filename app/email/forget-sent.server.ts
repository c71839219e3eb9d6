import { and, asc, eq, inArray, isNotNull, lte, ne, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { SENT_EMAIL_RETENTION_DAYS } from "#app/waitlist/retention.ts";

/**
 * Deletes emails to entries that were sent long ago, the oldest first. The entry then says when its welcome email was
 * sent, so that rejoining does not queue a second one. Emails about rejoining stay: a former subscriber gets one for each
 * departure. The other kinds may be sent again after a day.
 *
 * @param limit how many at a time
 * @returns how many
 */
export async function forgetSentEmails(db: Db, now: number, limit: number): Promise<number> {
  const { id, entry_id, kind, sent_at } = emailOutbox;
  const before = now - SENT_EMAIL_RETENTION_DAYS * 24 * 3_600_000;
  const old = db
    .select({ id })
    .from(emailOutbox)
    .where(and(lte(sent_at, before), isNotNull(entry_id), ne(kind, "rejoin")))
    .orderBy(asc(sent_at))
    .limit(limit);
  const welcomes = and(inArray(id, old), eq(kind, "welcome"));
  const remember = db
    .update(waitlistEmails)
    .set({ welcomed_at: sql`(SELECT sent_at FROM email_outbox WHERE dedupe_key = 'welcome:' || ${waitlistEmails.id})` })
    .where(inArray(waitlistEmails.id, db.select({ entry_id }).from(emailOutbox).where(welcomes)));
  const [, deleted] = await db.batch([remember, db.delete(emailOutbox).where(inArray(id, old)).returning({ id })]);
  return deleted.length;
}
