import { asc, eq, sql } from "drizzle-orm";
import type { StepRules } from "#app/features/letters/send/batches.server.ts";
import { integer, type Letter } from "#app/features/letters/send/letters.server.ts";
import { batchSize } from "#app/features/letters/send/sending-limits.ts";
import { dayToPlan, dueTimes } from "#app/features/letters/series/step-days.ts";
import { mayGetStep, STEP_CANDIDATES } from "#app/features/letters/series/who-gets-step.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { seriesSteps } from "#app/server/db/schema/series.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";
import { localDate, startOfDay } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { CONFIRM_PERIOD } from "#app/waitlist/confirmation/confirmation.ts";

export interface StepDeps {
  db: Db;
  /** Of the owner. */
  timeZone: string;
  emailsPerHour: number;
  /** Where the product is, once it has launched: then no step is sent. */
  launchUrl: string | undefined;
  now: () => EpochMillis;
}

/** Batches of recipients that are written at a time. */
const CHUNK = 50;

/** The letters of the steps whose recipients of today are not all written, in the order of the steps. */
export async function findDueSteps({ db, timeZone, now }: StepDeps): Promise<Letter[]> {
  const { hour, planned_day, days, letter_id } = seriesSteps;
  const steps = await db
    .select({ hour, planned_day, letter: letters })
    .from(seriesSteps)
    .innerJoin(letters, eq(letters.id, letter_id))
    .where(sql`NOT EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'follow-ups')`)
    .orderBy(asc(days));
  return steps.flatMap(({ hour, planned_day, letter }) => {
    const day = dayToPlan(now(), hour, timeZone);
    return day === null || day === planned_day ? [] : [letter];
  });
}

/**
 * The next people whom a step is for, with the reason why someone is skipped at once. People who have another step waiting,
 * or were sent one today, are left for a later day. The numbers of batches follow from the letter's size; with a lower send
 * limit they are filled less. Those who were skipped at once have a number, but no batch.
 *
 * Writes nothing if the day, or the batches from `:base` on, have been planned since they were read, or follow-ups pause.
 */
export const PLAN_RECIPIENTS = `WITH ${STEP_CANDIDATES}
INSERT INTO letter_recipients (letter_id, position, entry_id, state, reason, done_at)
SELECT :letter, (CAST(:base AS INTEGER) + rank / CAST(:per_batch AS INTEGER)) * CAST(:size AS INTEGER) + rank % CAST(:per_batch AS INTEGER),
  id, iif(reason IS NULL, 'pending', 'skipped'), reason, iif(reason IS NULL, NULL, :now)
FROM (
  SELECT id, reason, row_number() OVER (ORDER BY reason IS NOT NULL, joined, id) - 1 AS rank FROM (
    SELECT * FROM candidate
    WHERE reason IS NOT NULL OR NOT EXISTS (SELECT 1 FROM other_step WHERE entry_id = candidate.id
      AND (state = 'pending' OR state <> 'skipped' AND done_at >= :day_begins))
    ORDER BY joined, id LIMIT :count))
WHERE EXISTS (SELECT 1 FROM series_steps WHERE letter_id = :letter AND planned_day IS NOT :day AND decided_before = :from)
  AND NOT EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'follow-ups')
  AND (SELECT coalesce(max(position) / CAST(:size AS INTEGER) + 1, 0) FROM letter_recipients WHERE letter_id = :letter) = :base`;

const PLAN_BATCHES = `INSERT INTO letter_batches (letter_id, number)
SELECT DISTINCT :letter, position / CAST(:size AS INTEGER) FROM letter_recipients
WHERE changes() > 0 AND letter_id = :letter AND position >= :base * :size AND state = 'pending'`;

/** Fewer than asked for: everyone is written. */
const MARK_DAY = `UPDATE series_steps SET planned_day = :day, decided_before = max(:from, :late_before)
WHERE letter_id = :letter AND planned_day IS NOT :day AND decided_before = :from
  AND NOT EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'follow-ups')
  AND (SELECT count(*) FROM letter_recipients WHERE letter_id = :letter AND position >= :base * :size) < :count`;

const COUNT_WRITTEN =
  "SELECT count(*) AS people FROM letter_recipients WHERE letter_id = :letter AND position >= :base * :size";

/**
 * Writes today's recipients of a step, with their batches: people who joined `days` days ago, and those who should have
 * been sent it in the last three days. Anyone later than that is recorded as skipped. Each person has one row for a step,
 * however often this is interrupted, repeated or run at the same time.
 *
 * @returns whether all are written
 */
export async function planStep(deps: StepDeps, letter: Letter): Promise<boolean> {
  const { db, timeZone } = deps;
  const now = deps.now();
  const { id, batch_size: size } = letter;
  const [found] = await db
    .select({
      step: seriesSteps,
      base: sql<number>`(SELECT coalesce(max(position) / ${integer(size)} + 1, 0)
      FROM letter_recipients WHERE letter_recipients.letter_id = ${id})`,
    })
    .from(seriesSteps)
    .where(eq(seriesSteps.letter_id, id));
  const day = found === undefined ? null : dayToPlan(now, found.step.hour, timeZone);
  if (found === undefined || day === null || day === found.step.planned_day) return true;
  const { step, base } = found;
  const due = dueTimes(day, step.days, timeZone);
  const perBatch = Math.min(size, batchSize(deps.emailsPerHour));
  const count = CHUNK * perBatch;
  const values = {
    now,
    letter: id,
    size,
    base,
    per_batch: perBatch,
    count,
    step: step.id,
    days: step.days,
    day,
    day_begins: startOfDay(day, timeZone),
    from: step.decided_before,
    until: due.until,
    late_before: due.from,
    confirm_period: CONFIRM_PERIOD,
  };
  const parts = { audience: sql`(${mayGetStep({ ...deps, now: () => now }, step.audience)})` };
  const texts = [PLAN_RECIPIENTS, PLAN_BATCHES, MARK_DAY, COUNT_WRITTEN];
  const statements = texts.map((text) => ({ text, values, parts }));
  const [, , , [written]] = await runBatch<[[], [], [], { people: number }[]]>(db, statements);
  return (written?.people ?? 0) < count;
}

export async function stepRules({ db, timeZone, launchUrl, now }: StepDeps, { step_id }: Letter): Promise<StepRules> {
  const [step] = await db
    .select()
    .from(seriesSteps)
    .where(eq(seriesSteps.id, step_id ?? 0));
  return {
    launched: launchUrl !== undefined,
    lateBefore: step === undefined ? null : dueTimes(localDate(now(), timeZone), step.days, timeZone).from,
    isEarly: step !== undefined && dayToPlan(now(), step.hour, timeZone) === null,
  };
}
