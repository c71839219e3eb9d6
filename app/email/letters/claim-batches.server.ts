import { type SQL, sql } from "drizzle-orm";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { FIRST_PAUSE_AFTER, lettersPerHour } from "#app/email/letters/sending-limits.ts";
import { ofAllEmail } from "#app/email/pauses.server.ts";
import { LEASE, lettersSent, quotas, usedWithinHour } from "#app/email/quotas.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailPauses } from "#app/server/db/schema/email.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";

/** Batches are claimed from the first open ones, so that a claim reads few rows. */
const WINDOW = 16;

export interface BatchMember {
  position: number;
  entryId: number;
  email: string;
  /** Those that the letter's greetings use, as at the first attempt; null without any. */
  answers: Answers | null;
}

/** A batch leased to one sender. */
export interface ClaimedBatch {
  number: number;
  round: number;
  /** Attempts so far, including this one. */
  attempts: number;
  /** Null if the provider cannot have received it before. */
  firstAttemptAt: number | null;
  /** Those that no result is recorded for. Both are null if the entry was erased. */
  members: { position: number; entryId: number | null; email: string | null }[];
}

/** A batch whose recipients were checked: those who remain are sent it. */
export interface CheckedBatch extends ClaimedBatch {
  members: BatchMember[];
  firstAttemptAt: number;
  /** Whether the provider cannot have received it before. */
  isFirst: boolean;
}

interface ClaimOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** Maximum number of batches. */
  limit: number;
  /** The send limit of the site: emails an hour. */
  perHour: number;
  /** Whether only batches are claimed that the provider may have received. */
  isQuiet?: boolean;
}

/**
 * Claims the next batches of a letter that is being sent. Atomic: concurrent senders never claim the same batch. Claims
 * none while all email is paused or letters have used their share of the send limit; no new ones while an earlier one
 * waits for its next attempt, so that a silent provider leaves few with an unknown outcome; and none beyond the first
 * recipients before the first pause.
 */
export async function claimBatches(db: Db, letter: Letter, options: ClaimOptions): Promise<ClaimedBatch[]> {
  const { now, isQuiet = false } = options;
  const { id } = letter;
  const rows = await db.all<ClaimedRow>(sql`
    WITH first_open AS (
      SELECT number, attempts, leased_until, next_attempt_at, first_attempt_at FROM letter_batches
      WHERE letter_id = ${id} AND outcome = 'open' ORDER BY number LIMIT ${WINDOW}
    )
    UPDATE letter_batches SET attempts = attempts + 1, leased_until = ${now + LEASE}
    WHERE letter_id = ${id} AND number IN (
      SELECT number FROM first_open
      WHERE leased_until <= ${now} AND next_attempt_at <= ${now} AND ${isBeforeFirstPause(letter)}
        AND ${isQuiet ? sql`first_attempt_at IS NOT NULL` : sql`true`}
        AND (attempts > 0 OR NOT EXISTS (SELECT 1 FROM first_open WHERE leased_until <= ${now} AND next_attempt_at > ${now}))
      ORDER BY number LIMIT ${claimable(db, letter, options)}
    )
    AND EXISTS (SELECT 1 FROM letters WHERE letters.id = ${id} AND state = 'sending')
    AND NOT ${isAllPaused(now)}
    RETURNING ${claimedColumns(letter)}`);
  return toClaimed(rows);
}

/** A batch as {@link claimedColumns} reads it. */
export interface ClaimedRow {
  number: number;
  round: number;
  attempts: number;
  first_attempt_at: number | null;
  /** JSON. */
  members: string;
}

/** The columns of a batch and its members. */
export function claimedColumns({ batch_size: size }: Letter): SQL {
  return sql`number, round, attempts, first_attempt_at, ${members(size)} AS members`;
}

export function toClaimed(rows: ClaimedRow[]): ClaimedBatch[] {
  return rows
    .map(({ first_attempt_at, members: json, ...batch }) => ({
      ...batch,
      firstAttemptAt: first_attempt_at,
      members: (JSON.parse(json) as [number, number | null, string | null][])
        .map(([position, entryId, email]) => ({ position, entryId, email }))
        .toSorted((a, b) => a.position - b.position),
    }))
    .toSorted((a, b) => a.number - b.number);
}

/** Whether all email is paused. */
export function isAllPaused(now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${emailPauses} WHERE ${emailPauses.until} > ${now} AND ${ofAllEmail})`;
}

/** Whether a batch is among the first recipients, or the pause after them is over. For a step see {@link claimable}. */
export function isBeforeFirstPause({ had_first_pause, expected, batch_size, step_id }: Letter): SQL {
  return had_first_pause || expected <= FIRST_PAUSE_AFTER || step_id !== null
    ? sql`true`
    : sql`number < ${Math.ceil(FIRST_PAUSE_AFTER / batch_size)}`;
}

interface LetterQueue {
  /** How many of the letter's emails are being sent. */
  leased: SQL;
  /** The condition on recipients of the letter who wait. */
  waiting: SQL;
}

/** How many batches letters may send now. One is allowed in any hour, even if the send limit was lowered since the start. */
export function claimable(
  db: Db,
  letter: Letter,
  { now, limit, perHour }: ClaimOptions,
  { leased, waiting }: LetterQueue = firstOpen(letter, now),
): SQL {
  const size = letter.batch_size;
  // Batches of a few recipients do not use up the share of an hour.
  const most = sql`(SELECT count(*) FROM (SELECT 1 FROM letter_recipients WHERE ${waiting} LIMIT ${size}))`;
  const each = sql`max(1, ${most})`;
  // A step's total is not known in advance, so count the emails sent before its first pause.
  const first = sql`max(0, CAST((${FIRST_PAUSE_AFTER + size - 1} - ${sentOf(letter)} - ${leased}) / ${size} AS INTEGER))`;
  const allowed = letter.step_id === null || letter.had_first_pause ? sql`${limit}` : sql`min(${limit}, ${first})`;
  const used = sql`(${lettersSent(now)} + ${leased})`;
  const left = sql`min(${lettersPerHour(perHour)} - ${used}, ${quotas(usedWithinHour(db, now), { now, perHour }).all} - ${leased})`;
  return sql`min(${allowed}, max(iif(${used} = 0, 1, 0), CAST((${left}) / ${each} AS INTEGER)))`;
}

function firstOpen({ id, batch_size: size }: Letter, now: number): LetterQueue {
  return {
    leased: sql`(SELECT count(*) * ${size} FROM first_open WHERE leased_until > ${now})`,
    waiting: sql`(letter_id = ${id} AND state = 'pending'
      AND position >= (SELECT coalesce(min(number), 0) FROM first_open) * ${size})`,
  };
}

/** How many emails of a letter the provider has accepted. */
export function sentOf({ id }: Letter): SQL {
  return sql`(SELECT coalesce(sum(sent), 0) FROM letter_batches WHERE letter_batches.letter_id = ${id})`;
}

function members(size: number): SQL {
  return sql`(SELECT json_group_array(json_array(position, entry_id, email)) FROM letter_recipients
    LEFT JOIN waitlist_emails ON waitlist_emails.id = letter_recipients.entry_id
    WHERE letter_recipients.letter_id = letter_batches.letter_id AND letter_recipients.state = 'pending'
    AND position >= letter_batches.number * ${size} AND position < (letter_batches.number + 1) * ${size})`;
}
