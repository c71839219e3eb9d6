import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";

/** How long an attempt without a known outcome can still lead to an email (milliseconds). */
const DAY = 24 * 3_600_000;

/**
 * Whether an email or a letter to an entry was handed to the provider, or is being so, and its outcome is not known: it
 * cannot be called back.
 */
export async function isEmailUnderWay(db: Db, entryId: number, now: number): Promise<boolean> {
  const email = sql`SELECT 1 FROM email_outbox WHERE entry_id = ${entryId} AND done_at IS NULL AND dead_at IS NULL
    AND first_attempt_at > ${now - DAY}`;
  const letter = sql`SELECT 1 FROM letter_recipients AS recipient
    JOIN letters ON letters.id = recipient.letter_id
    JOIN letter_batches AS batch ON batch.letter_id = letters.id
      AND batch.number = recipient.position / letters.batch_size
    WHERE recipient.entry_id = ${entryId} AND recipient.state = 'pending' AND batch.first_attempt_at > ${now - DAY}`;
  const [row] = await db.all<{ found: number }>(sql`SELECT EXISTS (${email}) OR EXISTS (${letter}) AS found`);
  return row?.found === 1;
}
