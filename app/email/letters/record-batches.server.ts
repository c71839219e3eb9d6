import { eq, type SQL, sql } from "drizzle-orm";
import { isNotWithdrawn } from "#app/email/letter-events.server.ts";
import { forgetGreetings } from "#app/email/letters/batch-greetings.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { letters, type PauseReason, type RecipientReason } from "#app/server/db/schema/letters.server.ts";
import { integer, runBatch } from "#app/server/db/sql-batch.server.ts";

/** How an attempt at a claimed batch ended. */
export type BatchResult = {
  number: number;
  attempts: number;
} /** `failed`: the positions of recipients whose email the provider rejected. */ & (
  | { state: "done"; sent: number; failed: number[] }
  | { state: "unknown"; reason: RecipientReason }
  /** It is attempted again. `firstAttemptAt` is null if the provider cannot have accepted it. */
  | {
      state: "open";
      firstAttemptAt: number | null;
      nextAttemptAt: number;
      counts: boolean;
      reason: EmailReason | null;
      /** Whether the next attempt has a new idempotency key. */
      isNewRound?: boolean;
    }
);

/** Why a letter pauses itself. */
export interface LetterPause {
  reason: PauseReason;
  /** When it resumes by itself (milliseconds since 1970); null if the owner has to resume it. */
  resumesAt: number | null;
  fault: EmailReason | null;
}

/** D1 statements of {@link recordBatches}, at most, besides those of greetings. */
export const RECORD_STATEMENTS = 4;

/** Records how attempts at batches ended, and pauses the letter. Atomic and idempotent. */
export async function recordBatches(
  db: Db,
  letter: Letter,
  results: BatchResult[],
  { now, pause }: { now: number; pause: LetterPause | null },
): Promise<void> {
  const { id, batch_size: size } = letter;
  const json = JSON.stringify(results);
  const failed = JSON.stringify(results.flatMap((result) => (result.state === "done" ? result.failed : [])));
  const numbers = results.map(({ number }) => number);
  const [first, last] = [Math.min(...numbers) * size, (Math.max(...numbers) + 1) * size];
  // An acceptance is recorded in any case; everything else only by the sender that holds the lease. Without the range,
  // SQLite would join every open batch to every recipient.
  const applies = sql`letter_batches.letter_id = ${id} AND letter_batches.number = result.value ->> 'number'
    AND letter_batches.number >= ${Math.min(...numbers)} AND letter_batches.number <= ${Math.max(...numbers)}
    AND letter_batches.outcome = 'open'
    AND (result.value ->> 'state' = 'done' OR letter_batches.attempts = result.value ->> 'attempts')`;
  // Whoever was skipped after an attempt whose outcome is unknown may have been sent the letter by it.
  const isInDoubt = sql`state = 'skipped' AND letter_recipients.done_at > letter_batches.first_attempt_at
    AND result.value ->> 'state' = 'unknown'`;
  const hasFailed = sql`position IN (SELECT value FROM json_each(${failed}))`;
  const recipients = sql`
    UPDATE letter_recipients SET done_at = ${now},
      state = CASE WHEN result.value ->> 'state' = 'unknown' THEN 'unknown' WHEN ${hasFailed} THEN 'failed' ELSE 'sent' END,
      reason = CASE WHEN result.value ->> 'state' = 'unknown' THEN result.value ->> 'reason'
        WHEN ${hasFailed} THEN 'rejected' END
    FROM json_each(${json}) AS result JOIN letter_batches ON ${applies}
    WHERE letter_recipients.letter_id = ${id} AND position >= ${first} AND position < ${last}
      AND position / ${integer(size)} = result.value ->> 'number' AND result.value ->> 'state' <> 'open'
      AND (state = 'pending' OR ${isInDoubt})`;
  const value = (name: string) => sql`result.value ->> ${sql.raw(`'${name}'`)}`;
  const isOpen = sql`${value("state")} = 'open'`;
  const batches = sql`
    UPDATE letter_batches SET outcome = ${value("state")}, leased_until = 0,
      sent = coalesce(${value("sent")}, 0), done_at = iif(${isOpen}, NULL, ${now}), reason = ${value("reason")},
      attempts = letter_batches.attempts - iif(${isOpen} AND NOT ${value("counts")}, 1, 0),
      first_attempt_at = iif(${isOpen}, ${value("firstAttemptAt")}, first_attempt_at),
      next_attempt_at = coalesce(${value("nextAttemptAt")}, next_attempt_at),
      round = round + coalesce(${value("isNewRound")}, 0)
    FROM json_each(${json}) AS result WHERE ${applies}`;
  const done = results.some(({ state }) => state === "done");
  await runBatch(db, [
    recipients,
    ...(letter.is_invitation && done ? [invite(id, first, last, now)] : []),
    batches,
    ...forgetGreetings(letter, Math.min(...numbers), Math.max(...numbers)),
    ...(pause === null ? [] : [pauseStatement(db, id, pause, now).getSQL()]),
  ]);
}

/** Marks the recipients as invited, unless an earlier letter did. */
function invite(id: number, first: number, last: number, now: number): SQL {
  return sql`UPDATE waitlist_emails SET invited_at = ${now} WHERE invited_at IS NULL AND id IN (
    SELECT entry_id FROM letter_recipients
    WHERE letter_id = ${id} AND position >= ${first} AND position < ${last} AND state = 'sent')`;
}

/** The statement by which a letter that is being sent pauses itself, unless it is that of a withdrawn step. */
export function pauseStatement(db: Db, id: number, { reason, resumesAt, fault }: LetterPause, now: number) {
  return db
    .update(letters)
    .set({ state: "paused", pause_reason: reason, paused_at: now, resumes_at: resumesAt, fault })
    .where(sql`${eq(letters.id, id)} AND ${eq(letters.state, "sending")} AND ${isNotWithdrawn}`);
}
