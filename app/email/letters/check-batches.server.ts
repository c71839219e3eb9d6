import { type SQL, sql } from "drizzle-orm";
import { type FrozenGreeting, greetingStatements } from "#app/email/letters/batch-greetings.server.ts";
import type { BatchMember, CheckedBatch, ClaimedBatch } from "#app/email/letters/claim-batches.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { integer, runBatch } from "#app/server/db/sql-batch.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import { isConfirmation } from "#app/waitlist/confirmation.server.ts";

/** D1 statements of {@link checkBatches}, besides those of greetings. */
export const CHECK_STATEMENTS = 2;

/**
 * Checks the recipients of claimed batches before each attempt, and records who is skipped: people who have left are not
 * sent the letter. A batch that the provider may have received before keeps its idempotency key nevertheless, so that
 * the provider refuses it if it has accepted an earlier attempt with more recipients. What the letter's greetings say stays
 * as it was at the first attempt, so that a changed answer does not change the batch.
 *
 * @param reasons further branches of the `CASE` that says why someone in `waitlist_emails` is skipped
 * @returns the batches that may be sent now, with their remaining recipients. Others were paused or claimed by someone else
 *   in the meantime.
 */
export async function checkBatches(
  db: Db,
  letter: Letter,
  batches: ClaimedBatch[],
  now: number,
  reasons: SQL = sql``,
): Promise<CheckedBatch[]> {
  const { id, batch_size: size } = letter;
  const claimed = JSON.stringify(batches.map(({ number, attempts }) => ({ number, attempts })));
  const [first, last] = [batches[0]?.number ?? 0, batches.at(-1)?.number ?? 0];
  const isOurs = sql`EXISTS (SELECT 1 FROM letters WHERE letters.id = ${id} AND letters.state = 'sending')
    AND EXISTS (SELECT 1 FROM json_each(${claimed}) WHERE value ->> 'number' = letter_batches.number
      AND value ->> 'attempts' = letter_batches.attempts)
    AND letter_batches.letter_id = ${id} AND letter_batches.number >= ${first} AND letter_batches.number <= ${last}
    AND letter_batches.outcome = 'open'`;
  const skip = sql`
    UPDATE letter_recipients SET state = 'skipped', reason = found.reason, done_at = ${now}
    FROM (
      SELECT position AS at, CASE
        WHEN waitlist_emails.id IS NULL THEN 'erased'
        WHEN waitlist_emails.status <> 'active' THEN 'unsubscribed'
        WHEN ${isConfirmation.unconfirmed} THEN 'unconfirmed'
        WHEN ${isSuppressed(now)} THEN 'suppressed' ${reasons} END AS reason
      FROM letter_recipients AS member
      JOIN letter_batches ON ${isOurs} AND letter_batches.number = member.position / ${integer(size)}
      LEFT JOIN waitlist_emails ON waitlist_emails.id = member.entry_id
      WHERE member.letter_id = ${id} AND member.position >= ${first * size} AND member.position < ${(last + 1) * size}
        AND member.state = 'pending'
    ) AS found
    WHERE letter_recipients.letter_id = ${id} AND letter_recipients.position = found.at AND found.reason IS NOT NULL
    RETURNING position`;
  const begin = sql`UPDATE letter_batches SET first_attempt_at = coalesce(first_attempt_at, ${now}) WHERE ${isOurs} RETURNING number`;
  const greet = greetingStatements(letter, { isOurs, first, last, now });
  type Rows = [{ position: number }[], { number: number }[], [], FrozenGreeting[]];
  const [skipped, begun, , frozen = []] = await runBatch<Rows>(db, [skip, begin, ...greet]);
  const isSkipped = new Set(skipped.map(({ position }) => position));
  const isBegun = new Set(begun.map(({ number }) => number));
  return batches
    .filter(({ number }) => isBegun.has(number))
    .map((batch) => ({
      ...batch,
      members: withAnswers(batch.members, frozen).filter(({ position }) => !isSkipped.has(position)),
      firstAttemptAt: batch.firstAttemptAt ?? now,
      isFirst: batch.firstAttemptAt === null,
    }));
}

/** The members who still have an entry, with the answers that the letter's greetings use. */
export function withAnswers(members: ClaimedBatch["members"], frozen: FrozenGreeting[]): BatchMember[] {
  const answersAt = new Map(frozen.map(({ position, answers }) => [position, JSON.parse(answers) as Answers]));
  return members.flatMap(({ position, entryId, email }) =>
    entryId === null || email === null ? [] : [{ position, entryId, email, answers: answersAt.get(position) ?? null }],
  );
}
