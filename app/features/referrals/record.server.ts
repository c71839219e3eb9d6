import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { prepareBatch } from "#app/server/db/prepared-batch.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { referrals } from "#app/server/db/schema/referrals.server.ts";
import { addEntryStatements } from "#app/waitlist/sign-up/add-entry-statements.server.ts";

/**
 * The statement that records through whose link an entry joined, for the batch of the sign-up: right after the one that
 * adds the entry. It adds a row for a code that is no one's too, since the statements after it rely on it to change as many
 * rows as the one before it.
 *
 * Placeholders: `email`, `referrerId`, which need not be an entry's, and `domainHash`, which may be null.
 */
function recordReferral(db: Db) {
  const given = sql.placeholder;
  return db.insert(referrals).select(
    db
      .select({
        entry_id: sql`${waitlistEmails.id}`.as("entry_id"),
        referrer_id: sql`(SELECT id FROM waitlist_emails AS referrer WHERE referrer.id = ${given("referrerId")})`.as(
          "referrer_id",
        ),
        ruling: sql`NULL`.as("ruling"),
        decided_at: sql`NULL`.as("decided_at"),
        domain_hash: sql`${given("domainHash")}`.as("domain_hash"),
        note: sql`NULL`.as("note"),
      })
      .from(waitlistEmails)
      .where(and(eq(waitlistEmails.email, given("email")), sql`changes() > 0`)),
  );
}

export const addReferredBatch = prepareBatch((db) => addEntryStatements(db, { afterEntry: [recordReferral(db)] }));
