import { sql } from "drizzle-orm";
import type { CountedReason } from "#app/email/letters/letter-reasons.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { RecipientState } from "#app/server/db/schema/letters.server.ts";
import { integer, runBatch } from "#app/server/db/sql-batch.server.ts";
import { localDate } from "#app/server/time-zone-days.ts";

/** How many recipients are in each state; these add up to `expected`. */
type LetterStateCounts = Record<RecipientState, number>;

export interface LetterNumbers extends LetterStateCounts {
  /** How many people the owner confirmed. */
  expected: number;
  /** Why recipients were skipped, failed or are unknown, the most frequent reason first. */
  reasons: { state: RecipientState; reason: CountedReason; people: number }[];
  /** Of those who were sent it. */
  bounced: number;
  complained: number;
  unsubscribed: number;
  /** In the owner's time zone, oldest first; days without anything are left out. */
  days: LetterDay[];
}

interface LetterDay {
  /** `YYYY-MM-DD` */
  date: string;
  sent: number;
  bounced: number;
  complained: number;
  unsubscribed: number;
}

/** The numbers of a letter that was started, from its recipients' rows. */
export async function readLetterNumbers(db: Db, letter: Letter, timeZone: string): Promise<LetterNumbers> {
  const { id, batch_size: size } = letter;
  const isStopped = letter.state === "stopped";
  // A recipient who waits in a stopped letter is skipped, but for batches that the provider may have received.
  const tried = sql`EXISTS (SELECT 1 FROM letter_batches WHERE letter_batches.letter_id = ${id}
    AND letter_batches.number = position / ${integer(size)} AND first_attempt_at IS NOT NULL)`;
  const stopped = sql`${isStopped ? sql`state = 'pending'` : sql`false`}`;
  const states = sql`
    SELECT CASE WHEN ${stopped} THEN iif(${tried}, 'unknown', 'skipped') ELSE state END AS state,
      CASE WHEN ${stopped} THEN iif(${tried}, 'never-confirmed', 'stopped') ELSE reason END AS reason,
      count(*) AS people, count(bounced_at) AS bounced, count(complained_at) AS complained,
      count(unsubscribed_at) AS unsubscribed
    FROM letter_recipients WHERE letter_id = ${id} GROUP BY 1, 2 ORDER BY people DESC`;
  const hour = (column: string) => sql.raw(`${column} / 900000 * 900000`);
  const times = sql.join(
    [
      sql`SELECT 'sent' AS kind, ${hour("done_at")} AS time, count(*) AS people FROM letter_recipients
        WHERE letter_id = ${id} AND state = 'sent' GROUP BY 2`,
      ...(["bounced", "complained", "unsubscribed"] as const).map((kind) => {
        const column = sql.raw(`${kind}_at`);
        return sql`SELECT ${kind}, ${hour(`${kind}_at`)}, count(*) FROM letter_recipients
          WHERE letter_id = ${id} AND ${column} IS NOT NULL GROUP BY 2`;
      }),
    ],
    sql` UNION ALL `,
  );
  const [groups, moments] = await runBatch<[StateGroup[], Moment[]]>(db, [states, times]);
  const counts = countStates(groups);
  // No one more is written once all are, nor after a stop; the others left the audience before their turn.
  const missing = letter.expected - letter.queued;
  const gone: CountedReason = isStopped && letter.queued_at === null ? "stopped" : "left-audience";
  const isWritten = isStopped || letter.queued_at !== null;
  const rest = { state: isWritten ? "skipped" : "pending", people: missing } as const;
  counts[rest.state] += rest.people;
  const reasons = groups.flatMap(({ state, reason, people }) => (reason === null ? [] : [{ state, reason, people }]));
  if (isWritten && missing > 0) reasons.push({ state: "skipped", reason: gone, people: missing });
  const sum = (name: "bounced" | "complained" | "unsubscribed") =>
    groups.reduce((total, group) => total + group[name], 0);
  return {
    expected: letter.expected,
    ...counts,
    reasons,
    bounced: sum("bounced"),
    complained: sum("complained"),
    unsubscribed: sum("unsubscribed"),
    days: toDays(moments, timeZone),
  };
}

interface StateGroup {
  state: RecipientState;
  reason: CountedReason | null;
  people: number;
  bounced: number;
  complained: number;
  unsubscribed: number;
}

interface Moment {
  kind: "sent" | "bounced" | "complained" | "unsubscribed";
  /** Start of a quarter of an hour (milliseconds since 1970). */
  time: number;
  people: number;
}

function countStates(groups: StateGroup[]): LetterStateCounts {
  const counts: LetterStateCounts = { pending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0 };
  for (const { state, people } of groups) counts[state] += people;
  return counts;
}

function toDays(moments: Moment[], timeZone: string): LetterDay[] {
  const days = new Map<string, LetterDay>();
  for (const { kind, time, people } of moments.toSorted((a, b) => a.time - b.time)) {
    const date = localDate(time, timeZone);
    const day = days.get(date) ?? { date, sent: 0, bounced: 0, complained: 0, unsubscribed: 0 };
    day[kind] += people;
    days.set(date, day);
  }
  return [...days.values()];
}
