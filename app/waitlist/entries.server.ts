import { and, eq, lt, sql } from "drizzle-orm";
import { DB_TIME_LIMIT, type Db } from "#app/db/client.server.ts";
import { mailOutbox, waitlistEmails } from "#app/db/schema.server.ts";
import { retention } from "#app/legal/facts.ts";
import { withTimeLimit } from "#app/time-limit.ts";
import type { Campaign } from "#app/waitlist/campaign.ts";

export interface NewEntry {
  /** As {@link normaliseEmail} returns it. */
  email: string;
  source: string;
  campaign: Campaign;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Puts an address on the list together with the welcome mail it is owed, in one D1 batch: both rows or neither, one
 * round trip, and of many requests at once for one address exactly one inserts.
 *
 * @returns the new entry's id, or null when the address was there already
 * @throws when D1 fails or takes longer than {@link DB_TIME_LIMIT}
 */
export async function insertEntry(db: Db, { email, source, campaign, now }: NewEntry): Promise<number | null> {
  const entry = db
    .insert(waitlistEmails)
    .values({
      email,
      source,
      metadata: { signup_platform: "web", signup_date: new Date(now).toISOString() },
      ...campaign,
      created_at: now,
    })
    .onConflictDoNothing()
    .returning({ id: waitlistEmails.id });
  // changes() counts the rows of the statement before: no new entry, no mail.
  const welcome = db.insert(mailOutbox).select(
    db
      .select({
        id: sql`${crypto.randomUUID()}`.as("id"),
        entry_id: waitlistEmails.id,
        kind: sql`'welcome'`.as("kind"),
        attempts: sql`0`.as("attempts"),
        next_attempt_at: sql`${now}`.as("next_attempt_at"),
        leased_until: sql`0`.as("leased_until"),
        sent_at: sql`NULL`.as("sent_at"),
        dead_at: sql`NULL`.as("dead_at"),
        last_error: sql`NULL`.as("last_error"),
        created_at: sql`${now}`.as("created_at"),
      })
      .from(waitlistEmails)
      .where(and(eq(waitlistEmails.email, email), sql`changes() > 0`)),
  );
  const [inserted] = await withTimeLimit(db.batch([entry, welcome]), DB_TIME_LIMIT, "D1");
  return inserted[0]?.id ?? null;
}

/**
 * Erases entries that are older than the privacy page allows, and with them the mail they are owed.
 *
 * @returns how many
 */
export async function eraseExpired(db: Db, now: number): Promise<number> {
  const oldest = new Date(now);
  oldest.setUTCMonth(oldest.getUTCMonth() - retention.waitlistMonths);
  const expired = db.delete(waitlistEmails).where(lt(waitlistEmails.created_at, oldest.getTime()));
  const { meta } = await withTimeLimit(expired.run(), DB_TIME_LIMIT, "D1");
  return meta.changes;
}
