import { asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type FrozenGreeting, greetingStatements } from "#app/email/letters/batch-greetings.server.ts";
import { withAnswers } from "#app/email/letters/check-batches.server.ts";
import {
  type ClaimedRow,
  claimable,
  claimedColumns,
  isAllPaused,
  toClaimed,
} from "#app/email/letters/claim-batches.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { batchSize } from "#app/email/letters/sending-limits.ts";
import type { Plan, StepRules } from "#app/email/letters/series.ts";
import { LEASE } from "#app/email/quotas.server.ts";
import { isHeld } from "#app/email/series/held.server.ts";
import { dayToPlan, dueTimes } from "#app/email/series/step-days.ts";
import {
  hasStep,
  joinedAt,
  joinedWithin,
  mayGetStep,
  notSentReasons,
  otherSteps,
} from "#app/email/series/who-gets-step.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letters, type RecipientReason } from "#app/server/db/schema/letters.server.ts";
import { type Step, seriesSteps } from "#app/server/db/schema/series.server.ts";
import { integer, runBatch } from "#app/server/db/sql-batch.server.ts";
import { localDate, startOfDay } from "#app/server/time-zone-days.ts";

export interface StepDeps {
  db: Db;
  /** Of the owner. */
  timeZone: string;
  emailsPerHour: number;
  /** Where the product is, once it has launched: then no step is sent. */
  launchUrl: string | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Batches of recipients that are written at a time, and those of them that may be sent at once. */
const CHUNK = 50;
const BEGUN = 4;

/** The letters of the steps whose recipients of today are not all written, in the order of the steps. */
export async function findDueSteps({ db, timeZone, now }: StepDeps): Promise<Letter[]> {
  const steps = await db.select().from(seriesSteps).where(sql`NOT ${isHeld}`).orderBy(asc(seriesSteps.days));
  const due = steps.flatMap(({ hour, planned_day, letter_id }) => {
    const day = dayToPlan(now(), hour, timeZone);
    return letter_id === null || day === null || day === planned_day ? [] : [letter_id];
  });
  const found = await db.select().from(letters).where(inArray(letters.id, due));
  return due.flatMap((id) => found.filter((letter) => letter.id === id));
}

/**
 * Writes today's recipients of a step, with their batches: people who joined `days` days ago, and those who should have
 * been sent it in the last three days. Anyone later than that is recorded as skipped. Each person has one row for a step,
 * however often this is interrupted, repeated or run at the same time. People who have another step waiting, or were sent
 * one today, are left for a later day.
 */
export async function planStep(deps: StepDeps, letter: Letter): Promise<Plan> {
  const { db, timeZone } = deps;
  const now = deps.now();
  const [found] = await db
    .select({ step: seriesSteps, base: nextBatch(letter) })
    .from(seriesSteps)
    .where(eq(seriesSteps.letter_id, letter.id));
  const day = found === undefined ? null : dayToPlan(now, found.step.hour, timeZone);
  if (found === undefined || day === null || day === found.step.planned_day) return { isDone: true, begun: [] };
  const { step, base } = found;
  const { from } = dueTimes(day, step.days, timeZone);
  const { id, batch_size: size } = letter;
  // The numbers of batches follow from the letter's size; with a lower send limit they are filled less.
  const perBatch = Math.min(size, batchSize(deps.emailsPerHour));
  const count = CHUNK * perBatch;
  const isCurrent = sql`EXISTS (SELECT 1 FROM series_steps WHERE letter_id = ${id} AND planned_day IS NOT ${day}
    AND decided_before = ${step.decided_before}) AND NOT ${isHeld}`;
  const at = sql`(row_number() OVER (ORDER BY reason IS NOT NULL, joined, entry) - 1)`;
  const position = sql`(${integer(base)} + ${at} / ${integer(perBatch)}) * ${integer(size)} + ${at} % ${integer(perBatch)}`;
  const recipients = sql`
    INSERT INTO letter_recipients (letter_id, position, entry_id, state, reason, done_at)
    SELECT ${id}, ${position}, entry, iif(reason IS NULL, 'pending', 'skipped'), reason, iif(reason IS NULL, NULL, ${now})
    FROM (${candidates({ ...deps, now: () => now }, step, day, count)}) WHERE ${isCurrent} AND ${nextBatch(letter)} = ${base}`;
  const isWritten = sql`letter_id = ${id} AND position >= ${base * size}`;
  const limits = { now, limit: BEGUN, perHour: deps.emailsPerHour };
  const limit = claimable(db, letter, limits, { leased: sql`0`, waiting: sql`(${isWritten} AND state = 'pending')` });
  const isBegun = sql`(row_number() OVER (ORDER BY number) <= ${limit} AND NOT ${isAllPaused(now)}
    AND EXISTS (SELECT 1 FROM letters WHERE letters.id = ${id} AND state = 'sending')
    AND NOT EXISTS (SELECT 1 FROM letter_batches WHERE letter_id = ${id} AND outcome = 'open'))`;
  const batches = sql`
    INSERT INTO letter_batches (letter_id, number, attempts, leased_until, first_attempt_at)
    SELECT ${id}, number, begun, begun * ${now + LEASE}, iif(begun, ${now}, NULL) FROM (
      SELECT number, ${isBegun} AS begun FROM (
        SELECT DISTINCT position / ${integer(size)} AS number FROM letter_recipients
        WHERE changes() > 0 AND ${isWritten} AND state = 'pending'))
    RETURNING number, attempts`;
  const people = sql`(SELECT count(*) FROM letter_recipients WHERE ${isWritten})`;
  // Fewer than asked for: everyone is written.
  const mark = sql`UPDATE series_steps SET planned_day = ${day}, decided_before = max(${step.decided_before}, ${from})
    WHERE letter_id = ${id} AND ${isCurrent} AND ${people} < ${count}`;
  const wrote = sql`SELECT ${people} AS people`;
  const isOurs = sql`letter_batches.letter_id = ${id} AND letter_batches.number >= ${base} AND attempts = 1
    AND first_attempt_at = ${now}`;
  const read = sql`SELECT ${claimedColumns(letter)} FROM letter_batches WHERE ${isOurs}`;
  const greet = greetingStatements(letter, { isOurs, first: base, last: base + CHUNK, now });
  type Rows = [
    [],
    { number: number; attempts: number }[],
    [],
    { people: number }[],
    ClaimedRow[],
    [],
    FrozenGreeting[],
  ];
  const statements = [recipients, batches, mark, wrote, read, ...greet];
  const [, written, , [counted], rows, , frozen = []] = await runBatch<Rows>(db, statements);
  const begun = new Set(written.filter(({ attempts }) => attempts > 0).map(({ number }) => number));
  return {
    isDone: (counted?.people ?? 0) < count,
    begun: toClaimed(rows)
      .filter(({ number }) => begun.has(number))
      .map((batch) => ({
        ...batch,
        members: withAnswers(batch.members, frozen),
        firstAttemptAt: now,
        isFirst: true,
      })),
  };
}

/** The number after the last batch of a letter. Those who were skipped at once have a number, but no batch. */
function nextBatch({ id, batch_size: size }: Letter): SQL<number> {
  return sql<number>`(SELECT coalesce(max(position) / ${integer(size)} + 1, 0) FROM letter_recipients WHERE letter_id = ${id})`;
}

/** A query for the next people whom a step is for, with the reason why someone is skipped at once. */
function candidates(deps: StepDeps, step: Step, day: string, limit: number): SQL {
  const { db, timeZone, now } = deps;
  const { days, audience, decided_before } = step;
  const { from, until } = dueTimes(day, days, timeZone);
  const reason = sql`CASE ${notSentReasons(step)} WHEN ${joinedAt} < ${from} THEN 'late' END`;
  const mustWait = sql`EXISTS (SELECT 1 ${otherSteps}
    AND (other.state = 'pending' OR other.state <> 'skipped' AND other.done_at >= ${startOfDay(day, timeZone)}))`;
  return sql`
    SELECT * FROM (
      SELECT waitlist_emails.id AS entry, ${joinedAt} AS joined, ${reason} AS reason, ${mustWait} AS must_wait
      FROM waitlist_emails
      WHERE ${joinedWithin(decided_before, until)} AND ${mayGetStep({ db, timeZone, now }, audience)}
        AND NOT ${hasStep(step)})
    WHERE reason IS NOT NULL OR NOT must_wait ORDER BY joined, entry LIMIT ${limit}`;
}

/** Why someone who is a recipient is not sent a step now, and whether it is too early for today's. */
export async function stepRules({ db, timeZone, launchUrl, now }: StepDeps, { step_id }: Letter): Promise<StepRules> {
  const [step] = await db
    .select()
    .from(seriesSteps)
    .where(eq(seriesSteps.id, step_id ?? 0));
  const late = step && dueTimes(localDate(now(), timeZone), step.days, timeZone).from;
  const reason = (name: RecipientReason) => sql`THEN ${name}`;
  return {
    reasons: sql`WHEN invited_at IS NOT NULL ${reason("invited")}
      ${launchUrl === undefined ? sql`` : sql`WHEN true ${reason("launched")}`}
      ${late === undefined ? sql`` : sql`WHEN ${joinedAt} < ${late} ${reason("late")}`}`,
    isQuiet: step !== undefined && dayToPlan(now(), step.hour, timeZone) === null,
  };
}
