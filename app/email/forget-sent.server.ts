import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { DAY, type EpochMillis } from "#app/server/time/units.ts";
import { SENT_EMAIL_RETENTION_DAYS } from "#app/waitlist/entries/retention.ts";

/**
 * An entry keeps when its welcome email was sent, so that rejoining does not queue a second one. Emails about rejoining
 * stay: a former subscriber gets one for each departure. The other kinds may be sent again after a day.
 */
export async function forgetSentEmails(db: Db, now: EpochMillis, limit: number): Promise<number> {
  const before = now - SENT_EMAIL_RETENTION_DAYS * DAY;
  const old = sql`(SELECT id FROM email_outbox
    WHERE done_at <= ${before} AND kind <> 'rejoin' AND (entry_id IS NOT NULL OR kind = 'settings-changed')
    ORDER BY done_at LIMIT ${limit})`;
  const remember = db
    .update(waitlistEmails)
    .set({ welcomed_at: sql`(SELECT done_at FROM email_outbox WHERE dedupe_key = 'welcome:' || ${waitlistEmails.id})` })
    .where(sql`id IN (SELECT entry_id FROM email_outbox WHERE id IN ${old} AND kind = 'welcome')`);
  const forget = db.delete(emailOutbox).where(sql`id IN ${old}`).returning({ id: emailOutbox.id });
  const [, forgotten] = await db.batch([remember, forget]);
  return forgotten.length;
}
