import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { prepareBatch, type Statement } from "#app/server/db/prepared-batch.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { addEntryStatements, isBelowLimit } from "#app/waitlist/add-entry-statements.server.ts";
import type { Vouched } from "#app/waitlist/vouched.server.ts";

/**
 * The batch of {@link Vouched} sign-ups.
 *
 * @param first returns statements that are executed before all others. If one fails, the batch changes nothing, and
 *   `addEntry` throws its error. `isDecided`: the batch does not find the mailbox at its daily limit.
 */
export function prepareVouched(first: (db: Db, isDecided: SQL) => Statement[]): Vouched["addBatch"] {
  const given = sql.placeholder;
  const joinedAt = sql<number>`${given("joinedAt")}`;
  const entry = {
    created_at: joinedAt,
    consent_at: joinedAt,
    answers: sql`${given("answers")}`,
  };
  let skipped = 0;
  const batch = prepareBatch((db) => {
    const isActive = and(eq(waitlistEmails.email, given("email")), eq(waitlistEmails.status, "active"));
    const isListed = sql`EXISTS (SELECT 1 FROM ${waitlistEmails} WHERE ${isActive})`;
    const before = first(db, sql`(${isBelowLimit(db)} OR ${isListed})`);
    skipped = before.length;
    return [...before, ...addEntryStatements(db, { entry, joinedAt, emailData: sql`${given("emailData")}` })];
  });
  return async (db, values) => (await batch(db, values)).slice(skipped);
}
