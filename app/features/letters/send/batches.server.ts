import { and, eq, isNotNull, or, sql } from "drizzle-orm";
import type { BatchResult } from "#app/email/attempt.server.ts";
import { LEASE } from "#app/email/limits.ts";
import { QUOTA, quotaValues } from "#app/email/outbox.server.ts";
import { type Pause, pauseLetters } from "#app/email/pauses.server.ts";
import { type Letter, PAUSES_OF_LETTER } from "#app/features/letters/send/letters.server.ts";
import { FIRST_PAUSE_AFTER, lettersPerHour } from "#app/features/letters/send/sending-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { letterBatches, letters } from "#app/server/db/schema/letters.server.ts";
import { type NamedSql, runBatch, runNamed } from "#app/server/db/sql-batch.server.ts";
import { type Claim, isClaimedByResult, isWaiting, recorded, resultOf, toRecord } from "#app/server/queue.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { greetingKeys } from "#app/waitlist/questions/greetings.server.ts";

/* The batches of a letter that is being sent: claimed, checked before each attempt, and recorded. */

export interface BatchMember {
  position: number;
  entryId: number;
  email: string;
  /** Those that the letter's greetings use, as at the first attempt; null without any. */
  answers: Answers | null;
}

/** A batch leased to one sender, and those of its recipients who are sent it. */
export interface ClaimedBatch extends Claim {
  number: number;
  round: number;
  firstAttemptAt: EpochMillis;
  /** Whether the provider cannot have received it before. */
  isFirst: boolean;
  members: BatchMember[];
}

/** How the letter of a follow-up is sent now. */
export interface StepRules {
  /** Whether it is before the hour: only batches that the provider may have received are tried again. */
  isEarly: boolean;
  /** Whether the product has launched: no one is sent it. */
  launched: boolean;
  /** Anyone who joined before this is too late for the step. */
  lateBefore: EpochMillis | null;
}

/**
 * Claims the next batches of a letter that is being sent. One statement, so that senders at the same time never claim the
 * same batch. It looks at the first 16 that wait, by an index that SQLite would not choose, so that it reads few rows.
 *
 * None while all email or the letter is paused, or letters have used their share of the send limit; no new ones while an
 * earlier one waits for its next attempt, so that a silent provider leaves few with an unknown outcome; and none beyond the
 * first recipients before the first pause. A follow-up's total is not known in advance: there, what was sent counts.
 * One batch is allowed in any hour, even if the send limit was lowered since the start. Batches of a few recipients do not
 * use up the share of an hour.
 */
export const CLAIM_BATCHES = `WITH ${QUOTA},
  first_waiting AS MATERIALIZED (
    SELECT number, attempts, leased_until, next_attempt_at, first_attempt_at
    FROM letter_batches INDEXED BY letter_batches_waiting
    WHERE letter_id = :letter AND done_at IS NULL AND dead_at IS NULL ORDER BY number LIMIT 16
  ),
  state AS MATERIALIZED (
    SELECT entries, (SELECT count(*) * :size FROM first_waiting WHERE leased_until > :now) AS leased,
      (SELECT coalesce(sum(sent), 0) FROM letter_batches WHERE done_at > :hour_ago) AS letters_sent,
      (SELECT count(*) FROM (SELECT 1 FROM letter_recipients WHERE letter_id = :letter AND state = 'pending'
        AND position >= (SELECT coalesce(min(number), 0) FROM first_waiting) * :size LIMIT :size)) AS recipients,
      EXISTS (SELECT 1 FROM first_waiting WHERE leased_until <= :now AND next_attempt_at > :now) AS has_failed
    FROM quota
  ),
  allowed AS (
    SELECT min(
      :limit,
      CASE WHEN :is_first_of_step THEN max(0, CAST((:first_recipients + :size - 1 - leased
        - (SELECT coalesce(sum(sent), 0) FROM letter_batches WHERE letter_id = :letter)) / :size AS INTEGER)) ELSE :limit END,
      max(letters_sent + leased = 0,
        CAST(min(:letters_per_hour - letters_sent - leased, entries - leased) / max(1, recipients) AS INTEGER))) AS batches
    FROM state
  )
UPDATE letter_batches SET attempts = attempts + 1, next_attempt_at = :leased_until, leased_until = :leased_until
WHERE letter_id = :letter AND number IN (
  SELECT number FROM first_waiting, state
  WHERE next_attempt_at <= :now AND number < :first_batches AND (first_attempt_at IS NOT NULL OR NOT :is_early)
    AND (attempts > 0 OR NOT has_failed)
  ORDER BY number LIMIT max(0, (SELECT batches FROM allowed)))
  AND EXISTS (SELECT 1 FROM letters WHERE letters.id = :letter AND state = 'sending' AND NOT EXISTS (${PAUSES_OF_LETTER}))
  AND NOT EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'all' AND until > :now)
RETURNING number, round, attempts, leased_until, first_attempt_at, (
  SELECT json_group_array(json_array(position, entry_id, email)) FROM letter_recipients
  LEFT JOIN waitlist_emails ON waitlist_emails.id = letter_recipients.entry_id
  WHERE letter_recipients.letter_id = letter_batches.letter_id AND letter_recipients.state = 'pending'
    AND position >= letter_batches.number * :size AND position < (letter_batches.number + 1) * :size) AS members`;

/** The claimed batches whose letter may still be sent: it may have been paused or stopped in the meantime. */
const IS_OURS = `EXISTS (SELECT 1 FROM letters WHERE letters.id = :letter AND letters.state = 'sending' AND NOT EXISTS (${PAUSES_OF_LETTER}))
  AND letter_batches.letter_id = :letter AND letter_batches.number >= :from AND letter_batches.number <= :to
  AND letter_batches.done_at IS NULL AND letter_batches.dead_at IS NULL
  AND EXISTS (SELECT 1 FROM json_each(:claims) WHERE value ->> 'number' = letter_batches.number
    AND value ->> 'attempts' = letter_batches.attempts AND value ->> 'leased_until' = letter_batches.leased_until)`;

/**
 * Records who is skipped before an attempt: people who have left are not sent the letter. A batch that the provider may have
 * received before keeps its idempotency key nevertheless, so that the provider refuses it if it has accepted an earlier
 * attempt with more recipients.
 */
export const SKIP_RECIPIENTS = `UPDATE letter_recipients SET state = 'skipped', reason = found.reason, done_at = :now
FROM (
  SELECT position AS at, CASE
    WHEN entry.id IS NULL THEN 'erased'
    WHEN entry.status <> 'active' THEN 'unsubscribed'
    WHEN entry.confirm_by IS NOT NULL AND entry.confirmed_at IS NULL THEN 'unconfirmed'
    WHEN EXISTS (SELECT 1 FROM suppressions WHERE suppressions.address_hash = entry.address_hash
      AND (suppressions.until IS NULL OR suppressions.until > :now)) THEN 'suppressed'
    WHEN :is_step AND entry.invited_at IS NOT NULL THEN 'invited'
    WHEN :launched THEN 'launched'
    WHEN iif(entry.confirm_by IS NULL, entry.created_at, coalesce(entry.confirmed_at, entry.created_at)) < :late_before THEN 'late'
    END AS reason
  FROM letter_recipients AS member
  JOIN letter_batches ON ${IS_OURS} AND letter_batches.number = member.position / CAST(:size AS INTEGER)
  LEFT JOIN waitlist_emails AS entry ON entry.id = member.entry_id
  WHERE member.letter_id = :letter AND member.position >= :first AND member.position < :last AND member.state = 'pending'
) AS found
WHERE letter_recipients.letter_id = :letter AND letter_recipients.position = found.at AND found.reason IS NOT NULL
RETURNING position`;

export const BEGIN_ATTEMPT = `UPDATE letter_batches SET first_attempt_at = coalesce(first_attempt_at, :now)
WHERE ${IS_OURS} RETURNING number`;

/** What the letter's greetings say stays as it was at the first attempt, so that a changed answer does not change the batch. */
export const STORE_ANSWERS = `INSERT INTO letter_greetings (letter_id, position, entry_id, answers)
SELECT :letter, member.position, entry.id,
  (SELECT json_group_object(used.value, entry.answers ->> used.value) FROM json_each(:keys) AS used)
FROM letter_recipients AS member
JOIN letter_batches ON ${IS_OURS} AND letter_batches.first_attempt_at = :now
  AND letter_batches.number = member.position / CAST(:size AS INTEGER)
JOIN waitlist_emails AS entry ON entry.id = member.entry_id
WHERE member.letter_id = :letter AND member.position >= :first AND member.position < :last AND member.state = 'pending'
  AND EXISTS (SELECT 1 FROM json_each(:keys) AS used WHERE entry.answers ->> used.value IS NOT NULL)
ON CONFLICT DO NOTHING`;

const READ_ANSWERS =
  "SELECT position, answers FROM letter_greetings WHERE letter_id = :letter AND position >= :first AND position < :last";

/** Those of recorded batches which the provider cannot receive again as they were. */
const FORGET_ANSWERS = `DELETE FROM letter_greetings WHERE letter_id = :letter AND position >= :first AND position < :last
  AND position / CAST(:size AS INTEGER) IN (SELECT number FROM letter_batches WHERE letter_id = :letter
    AND number >= :from AND number <= :to AND (done_at IS NOT NULL OR dead_at IS NOT NULL OR first_attempt_at IS NULL))`;

/**
 * What becomes of the recipients of recorded batches. An acceptance is recorded in any case; everything else only by the
 * sender that holds the lease. Whoever was skipped after an attempt whose outcome is unknown may have been sent the letter
 * by it. Without the range, SQLite would join every waiting batch to every recipient.
 */
export const RECORD_RECIPIENTS = `UPDATE letter_recipients SET done_at = :now,
  state = CASE WHEN result.value ->> 'dead_at' IS NOT NULL THEN 'unknown'
    WHEN position IN (SELECT value FROM json_each(:failed)) THEN 'failed' ELSE 'sent' END,
  reason = CASE WHEN result.value ->> 'dead_at' IS NOT NULL THEN result.value ->> 'reason'
    WHEN position IN (SELECT value FROM json_each(:failed)) THEN 'rejected' END
FROM json_each(:results) AS result
JOIN letter_batches ON letter_batches.letter_id = :letter AND letter_batches.number = result.value ->> 'number'
  AND letter_batches.number >= :from AND letter_batches.number <= :to
  AND letter_batches.done_at IS NULL AND letter_batches.dead_at IS NULL
  AND (result.value ->> 'done_at' IS NOT NULL OR result.value ->> 'dead_at' IS NOT NULL
    AND letter_batches.attempts = result.value ->> '$.claim.attempts'
    AND letter_batches.leased_until = result.value ->> '$.claim.leased_until')
WHERE letter_recipients.letter_id = :letter AND position >= :first AND position < :last
  AND position / CAST(:size AS INTEGER) = result.value ->> 'number'
  AND (state = 'pending' OR state = 'skipped' AND letter_recipients.done_at > letter_batches.first_attempt_at
    AND result.value ->> 'dead_at' IS NOT NULL)`;

/** Marks the recipients of an invitation as invited, unless an earlier letter did. */
const INVITE = `UPDATE waitlist_emails SET invited_at = :now WHERE invited_at IS NULL AND id IN (
  SELECT entry_id FROM letter_recipients WHERE letter_id = :letter AND position >= :first AND position < :last AND state = 'sent')`;

/** D1 statements of claiming, checking and recording, at most: recording is repeated if it fails. */
export const BATCH_STATEMENTS = 1 + 4 + 2 * 5;

/** @returns the batches that may be sent now, with their remaining recipients */
export async function claimBatches(
  db: Db,
  letter: Letter,
  { now, limit, perHour, rules }: { now: EpochMillis; limit: number; perHour: number; rules: StepRules | null },
): Promise<ClaimedBatch[]> {
  const { id, batch_size: size } = letter;
  const isStep = letter.step_id !== null;
  const mayGoOn = letter.had_first_pause || letter.expected <= FIRST_PAUSE_AFTER || isStep;
  const claimed = await runNamed<ClaimedRow>(db, {
    text: CLAIM_BATCHES,
    values: {
      ...quotaValues({ now, perHour }),
      letter: id,
      size,
      limit,
      letters_per_hour: lettersPerHour(perHour),
      is_first_of_step: isStep && !letter.had_first_pause,
      first_recipients: FIRST_PAUSE_AFTER,
      first_batches: mayGoOn ? Number.MAX_SAFE_INTEGER : Math.ceil(FIRST_PAUSE_AFTER / size),
      is_early: rules?.isEarly ?? false,
      leased_until: now + LEASE,
    },
  });
  if (claimed.length === 0) return [];
  const values = {
    ...rangeOf(letter, claimed),
    now,
    claims: JSON.stringify(claimed.map(({ number, attempts, leased_until }) => ({ number, attempts, leased_until }))),
    is_step: isStep,
    launched: rules?.launched ?? false,
    late_before: rules?.lateBefore ?? null,
    keys: JSON.stringify(keysOf(letter)),
  };
  const ofGreetings = keysOf(letter).length > 0 ? [STORE_ANSWERS, READ_ANSWERS] : [];
  const statements = [SKIP_RECIPIENTS, BEGIN_ATTEMPT, ...ofGreetings].map((text) => ({ text, values }));
  type Rows = [{ position: number }[], { number: number }[], [], { position: number; answers: string }[]];
  const [skipped, started, , answers = []] = await runBatch<Rows>(db, statements);
  const isSkipped = new Set(skipped.map(({ position }) => position));
  const isStarted = new Set(started.map(({ number }) => number));
  const answersAt = new Map(answers.map((row) => [row.position, JSON.parse(row.answers) as Answers]));
  return claimed
    .filter(({ number }) => isStarted.has(number))
    .toSorted((a, b) => a.number - b.number)
    .map(({ first_attempt_at, members, ...batch }) => ({
      ...batch,
      members: (JSON.parse(members) as [number, number | null, string | null][])
        .toSorted(([a], [b]) => a - b)
        .flatMap(([position, entryId, email]) =>
          entryId === null || email === null || isSkipped.has(position)
            ? []
            : [{ position, entryId, email, answers: answersAt.get(position) ?? null }],
        ),
      firstAttemptAt: first_attempt_at ?? now,
      isFirst: first_attempt_at === null,
    }));
}

type ClaimedRow = Claim & { number: number; round: number; first_attempt_at: number | null; members: string };

/** Idempotent. @param results in the order of the batches */
export async function recordBatches(
  db: Db,
  letter: Letter,
  batches: ClaimedBatch[],
  results: BatchResult[],
  { now, pause }: { now: EpochMillis; pause: Pause | null },
): Promise<void> {
  const rows = batches.map((batch, index) => ({
    number: batch.number,
    ...toRecord(batch, toRow(batch, results[index] as BatchResult, now)),
  }));
  const failed = batches.flatMap(({ members }, index) => {
    const result = results[index];
    return result?.state === "sent" ? result.failed.map((member) => members[member]?.position ?? -1) : [];
  });
  const json = JSON.stringify(rows);
  const values = { ...rangeOf(letter, batches), now, results: json, failed: JSON.stringify(failed) };
  const named = (text: string): NamedSql => ({ text, values });
  const record = db
    .update(letterBatches)
    .set({
      ...recorded(letterBatches),
      first_attempt_at: resultOf("first_attempt_at"),
      sent: sql`coalesce(${resultOf("sent")}, 0)`,
      round: sql`${letterBatches.round} + coalesce(${resultOf("is_new_round")}, 0)`,
    })
    .from(sql`json_each(${json}) AS result`)
    .where(
      and(
        eq(letterBatches.letter_id, letter.id),
        eq(letterBatches.number, resultOf("number")),
        isWaiting(letterBatches),
        or(isNotNull(resultOf("done_at")), isClaimedByResult(letterBatches)),
      ),
    );
  await runBatch(db, [
    named(RECORD_RECIPIENTS),
    ...(letter.is_invitation && results.some(({ state }) => state === "sent") ? [named(INVITE)] : []),
    record.getSQL(),
    ...(keysOf(letter).length > 0 ? [named(FORGET_ANSWERS)] : []),
    ...(pause === null ? [] : [pauseLetters(db, sql`${letters.id} = ${letter.id}`, pause, now).getSQL()]),
  ]);
}

function toRow({ members, firstAttemptAt }: ClaimedBatch, result: BatchResult, now: EpochMillis): object {
  switch (result.state) {
    case "sent":
      return { done_at: now, sent: members.length - result.failed.length, first_attempt_at: firstAttemptAt };
    case "unknown":
      return { dead_at: now, reason: result.reason, first_attempt_at: firstAttemptAt };
    case "waiting":
      return {
        next_attempt_at: result.nextAttemptAt,
        attempts: result.attempts,
        first_attempt_at: result.firstAttemptAt,
        reason: result.reason,
        is_new_round: result.isNewRound,
      };
  }
}

function rangeOf({ id, batch_size: size }: Letter, batches: { number: number }[]) {
  const numbers = batches.map(({ number }) => number);
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  return { letter: id, size, from, to, first: from * size, last: (to + 1) * size };
}

function keysOf({ subject, preview_line, body }: Letter): string[] {
  return greetingKeys(`${subject}\n${preview_line}\n${body}`);
}
