import { type SQL, sql } from "drizzle-orm";
import { type AudienceDeps, isInAudience } from "#app/email/letters/audience.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { integer, runBatch } from "#app/server/db/sql-batch.server.ts";

/** Batches that one D1 batch writes. */
const CHUNK = 50;

/** D1 statements of {@link queueRecipients}. */
export const QUEUE_STATEMENTS = 3;

/**
 * Writes the next recipients of a letter, their batches and the letter's cursor in one D1 batch: however often this is
 * interrupted, repeated or run at the same time, each person is written once.
 *
 * @returns whether all are written
 */
export async function queueRecipients(deps: AudienceDeps, letter: Letter): Promise<boolean> {
  const { db } = deps;
  const { id, audience, batch_size: size, newest_entry_id: newest } = letter;
  const isSending = sql`letters.id = ${id} AND letters.state = 'sending' AND letters.queued_at IS NULL`;
  const limit = sql`(SELECT min(${CHUNK * size}, expected - queued) FROM letters WHERE letters.id = ${id})`;
  const { created_at } = waitlistEmails;
  // The unary plus leaves the index on times as the only way, so that a chunk reads little more than its own people. A
  // letter from before recipients were written in the order of joining has some of them already.
  const next: SQL = sql`SELECT waitlist_emails.id AS entry, ${created_at} AS joined FROM ${waitlistEmails}
    WHERE (${created_at}, waitlist_emails.id) > (SELECT cursor_created_at, cursor FROM letters WHERE letters.id = ${id})
    AND +waitlist_emails.id <= ${newest} AND ${isInAudience(deps, audience)}
    AND NOT EXISTS (SELECT 1 FROM letter_recipients WHERE entry_id = waitlist_emails.id AND letter_id = ${id})
    ORDER BY ${created_at}, waitlist_emails.id LIMIT ${limit}`;
  const recipients = sql`INSERT INTO letter_recipients (letter_id, position, entry_id)
    SELECT ${id}, letters.queued + row_number() OVER (ORDER BY joined, entry) - 1, entry FROM letters, (${next}) WHERE ${isSending}`;
  const written = sql`FROM letter_recipients WHERE letter_id = ${id} AND position >= letters.queued`;
  const batches = sql`INSERT INTO letter_batches (letter_id, number)
    SELECT DISTINCT ${id}, position / ${integer(size)} FROM letters, letter_recipients
    WHERE ${isSending} AND letter_id = ${id} AND position >= letters.queued`;
  const advance = sql`UPDATE letters SET
      (cursor, cursor_created_at) = (SELECT coalesce(max(id), cursor), coalesce(max(created_at), cursor_created_at)
        FROM waitlist_emails WHERE id = (SELECT entry_id ${written} ORDER BY position DESC LIMIT 1)),
      queued_at = iif((SELECT count(*) ${written}) < ${CHUNK * size} OR queued + ${CHUNK * size} >= expected, ${deps.now()}, NULL),
      queued = queued + (SELECT count(*) ${written})
    WHERE ${isSending} RETURNING queued_at`;
  type Rows = [[], [], { queued_at: number | null }[]];
  const [, , [advanced]] = await runBatch<Rows>(db, [recipients, batches, advance]);
  // No row: the letter was paused or stopped, or someone else wrote the last recipients.
  return advanced === undefined || advanced.queued_at !== null;
}
