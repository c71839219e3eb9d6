import { sql } from "drizzle-orm";
import { integer, type Letter } from "#app/features/letters/send/letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { CountedReason } from "#app/server/db/recipient-reasons.ts";
import type { RecipientState } from "#app/server/db/schema/letters.server.ts";
import { runBatch, runNamed } from "#app/server/db/sql-batch.server.ts";
import { localDate } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

type Effects = Record<"bounced" | "bouncedSoftly" | "complained" | "unsubscribed", number>;

const noEffects: Effects = { bounced: 0, bouncedSoftly: 0, complained: 0, unsubscribed: 0 };

/** The {@link Effects} of a group of `letter_recipients`. */
export const COUNT_EFFECTS = sql`count(iif(bounced_softly, NULL, bounced_at)) AS bounced,
  count(iif(bounced_softly, bounced_at, NULL)) AS bouncedSoftly, count(complained_at) AS complained,
  count(unsubscribed_at) AS unsubscribed`;

export interface RecipientStats extends Record<RecipientState, number>, Effects {
  /** Why recipients were skipped, failed or are unknown, the most frequent reason first. */
  reasons: { state: RecipientState; reason: CountedReason; people: number }[];
}

/** `date`: `YYYY-MM-DD`. */
type LetterDay = Effects & { date: string; sent: number };

/** The recipients of a letter, whose states add up to `expected`. */
export interface LetterStats extends RecipientStats {
  expected: number;
  /** In the owner's time zone, oldest first; days without anything are left out. */
  days: LetterDay[];
}

export type StateGroup = Effects & { state: RecipientState; reason: CountedReason | null; people: number };

/** `time`: the start of a quarter of an hour. */
type Moment = { kind: "sent" | keyof Effects; time: EpochMillis; people: number };

export async function readLetterStats(db: Db, letter: Letter, timeZone: string): Promise<LetterStats> {
  const { id, batch_size: size } = letter;
  const isStopped = letter.state === "stopped";
  // A recipient who waits in a stopped letter is skipped, but for batches that the provider may have received.
  const tried = sql`EXISTS (SELECT 1 FROM letter_batches WHERE letter_batches.letter_id = ${id}
    AND letter_batches.number = position / ${integer(size)} AND first_attempt_at IS NOT NULL)`;
  const stopped = isStopped ? sql`state = 'pending'` : sql`false`;
  const states = sql`
    SELECT CASE WHEN ${stopped} THEN iif(${tried}, 'unknown', 'skipped') ELSE state END AS state,
      CASE WHEN ${stopped} THEN iif(${tried}, 'never-confirmed', 'stopped') ELSE reason END AS reason,
      count(*) AS people, ${COUNT_EFFECTS}
    FROM letter_recipients WHERE letter_id = ${id} GROUP BY 1, 2 ORDER BY people DESC`;
  const times = (kind: Moment["kind"], column: string, condition = `${column} IS NOT NULL`) =>
    sql`SELECT ${kind} AS kind, ${sql.raw(column)} / 900000 * 900000 AS time, count(*) AS people FROM letter_recipients
      WHERE letter_id = ${id} AND ${sql.raw(condition)} GROUP BY 2`;
  const moments = sql`${times("sent", "done_at", "state = 'sent'")} UNION ALL ${times("bounced", "bounced_at", "bounced_at IS NOT NULL AND NOT bounced_softly")}
    UNION ALL ${times("bouncedSoftly", "bounced_at", "bounced_at IS NOT NULL AND bounced_softly")}
    UNION ALL ${times("complained", "complained_at")} UNION ALL ${times("unsubscribed", "unsubscribed_at")}`;
  const [groups, found] = await runBatch<[StateGroup[], Moment[]]>(db, [states, moments]);
  const stats: LetterStats = { ...noRecipients(), expected: letter.expected, days: toDays(found, timeZone) };
  const isWritten = isStopped || letter.queued_at !== null;
  // No one more is written once all are, nor after a stop; the others left the audience before their turn.
  const missing: StateGroup = {
    state: isWritten ? "skipped" : "pending",
    reason: isStopped && letter.queued_at === null ? "stopped" : "left-audience",
    people: letter.expected - letter.queued,
    ...noEffects,
  };
  for (const group of [...groups, missing]) addGroup(stats, group);
  return stats;
}

export function noRecipients(): RecipientStats {
  return { pending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, ...noEffects, reasons: [] };
}

export function addGroup(stats: RecipientStats, { state, reason, people, ...effects }: StateGroup): void {
  stats[state] += people;
  for (const [effect, count] of Object.entries(effects)) stats[effect as keyof Effects] += count;
  if (reason !== null && state !== "pending" && people > 0) stats.reasons.push({ state, reason, people });
}

function toDays(moments: Moment[], timeZone: string): LetterDay[] {
  const days = new Map<string, LetterDay>();
  for (const { kind, time, people } of moments.toSorted((a, b) => a.time - b.time)) {
    const date = localDate(time, timeZone);
    const day = days.get(date) ?? { date, sent: 0, ...noEffects };
    day[kind] += people;
    days.set(date, day);
  }
  return [...days.values()];
}

/**
 * How many people each letter was sent to. Batches know it without their recipients, but for those whose outcome was unknown
 * and that the owner counted as sent.
 */
const COUNT_SENT = `SELECT id, (SELECT coalesce(sum(sent), 0) FROM letter_batches WHERE letter_id = letters.id) + (
    SELECT count(*) FROM letter_batches AS batch JOIN letter_recipients AS recipient ON recipient.letter_id = letters.id
      AND position >= number * batch_size AND position < (number + 1) * batch_size
    WHERE batch.letter_id = letters.id AND batch.done_at IS NOT NULL AND batch.sent = 0 AND recipient.state = 'sent') AS sent
FROM letters WHERE id IN (SELECT value FROM json_each(:ids))`;

/** How many people some letters were sent to, by the letter's id. */
export async function countSent(db: Db, ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await runNamed<{ id: number; sent: number }>(db, {
    text: COUNT_SENT,
    values: { ids: JSON.stringify(ids) },
  });
  return new Map(rows.map(({ id, sent }) => [id, sent]));
}

/** Why emails of a letter wait for another attempt, and when that is. */
export interface FailedAttempt {
  reason: string;
  nextAt: EpochMillis;
}

/** The first batch that is put off because its last attempt failed; null if none is. */
export async function findFailedAttempt(db: Db, { id }: Letter, now: EpochMillis): Promise<FailedAttempt | null> {
  const [failed] = await db.all<FailedAttempt>(sql`
    SELECT reason, next_attempt_at AS nextAt FROM letter_batches WHERE letter_id = ${id} AND done_at IS NULL AND dead_at IS NULL
      AND reason IS NOT NULL AND leased_until = 0 AND next_attempt_at > ${now} ORDER BY next_attempt_at LIMIT 1`);
  return failed ?? null;
}
