import { asc, eq, type SQL, sql } from "drizzle-orm";
import { running } from "#app/email/letters/letter-states.server.ts";
import { type LetterDraft, randomKey } from "#app/email/letters/letters.server.ts";
import { batchSize } from "#app/email/letters/sending-limits.ts";
import { dueTimes, MAX_STEPS } from "#app/email/series/step-days.ts";
import { withdraw } from "#app/email/series/withdraw.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { type Step, type StepAudience, seriesSteps } from "#app/server/db/schema/series.server.ts";
import { integer, runBatch } from "#app/server/db/sql-batch.server.ts";
import { localDate } from "#app/server/time-zone-days.ts";

/** What the owner writes, to whom, and when. */
export type StepDraft = Pick<LetterDraft, "subject" | "preview_line" | "body" | "reply_to"> & {
  days: number;
  audience: StepAudience | null;
};

/** The hour of the day of a new series: when people look at their inbox. */
export const DEFAULT_HOUR = 9;

const DAY = 24 * 3_600_000;

interface StepsDeps {
  db: Db;
  /** Of the owner. */
  timeZone: string;
  emailsPerHour: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** In the order in which they are sent. */
export function listSteps(db: Db): Promise<Step[]> {
  return db.select().from(seriesSteps).orderBy(asc(seriesSteps.days));
}

export async function hasStepsOn(db: Db): Promise<boolean> {
  return (await listSteps(db)).some(({ letter_id }) => letter_id !== null);
}

export async function findStep(db: Db, id: number): Promise<Step | null> {
  const [step] = await db.select().from(seriesSteps).where(eq(seriesSteps.id, id));
  return step ?? null;
}

/** Adds a step, which is off at first. @returns its id; null if there are as many as there may be */
export async function createStep(db: Db, draft: StepDraft, now: number): Promise<number | null> {
  const { days, subject, preview_line, body, reply_to, audience } = draft;
  const hour = sql`coalesce((SELECT max(hour) FROM series_steps), ${DEFAULT_HOUR})`;
  // One statement: two owners may add the last one at the same time.
  const [created] = await db.all<{ id: number }>(sql`
    INSERT INTO series_steps (days, hour, subject, preview_line, body, reply_to, audience, created_at, updated_at)
    SELECT ${days}, ${hour}, ${subject}, ${preview_line}, ${body}, ${reply_to},
      ${audience === null ? null : JSON.stringify(audience)}, ${now}, ${now}
    WHERE (SELECT count(*) FROM series_steps) < ${MAX_STEPS} RETURNING id`);
  return created?.id ?? null;
}

/** Whether a step could not be saved because another one has the same days. */
export function isSameDays(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes("UNIQUE constraint failed: series_steps.days") || isSameDays(error.cause);
}

/**
 * Changes a step. What the provider may have received already stays as it was; everyone else is sent the new content.
 * Ends a pause of the step that waits for the owner.
 *
 * @returns whether it is still as it was read
 */
export async function changeStep(deps: StepsDeps, step: Step, draft: StepDraft): Promise<boolean> {
  const { subject, preview_line, body, reply_to, days, audience } = draft;
  // Later than the last change, even if the clock has not moved on.
  const version = Math.max(deps.now(), step.updated_at + 1);
  const change = sql`UPDATE series_steps SET subject = ${subject}, preview_line = ${preview_line}, body = ${body},
    reply_to = ${reply_to}, days = ${days}, audience = ${audience === null ? null : JSON.stringify(audience)},
    updated_at = ${version}
    WHERE id = ${step.id} AND updated_at = ${step.updated_at} AND letter_id IS ${step.letter_id} RETURNING id`;
  const isChanged = sql`updated_at = ${version}`;
  const again = step.letter_id === null ? [] : publish(deps, step.id, isChanged);
  const [changed] = await runBatch<unknown[][]>(deps.db, [change, ...withdraw(step, deps.now()), ...again]);
  return changed !== undefined && changed.length > 0;
}

/** The hour of the day from which all steps are sent, 0 to 23. Today's recipients are written at the new hour if it is yet to come. */
export async function setHour(db: Db, hour: number): Promise<void> {
  await db.update(seriesSteps).set({ hour });
}

/**
 * Switches a step on: the first time for people who join from now on. When it is switched on again it goes on with everyone
 * who is not too late for it.
 */
export async function switchOn(deps: StepsDeps, step: Step): Promise<void> {
  const now = deps.now();
  const { from } = dueTimes(localDate(now, deps.timeZone), step.days, deps.timeZone);
  const begin = sql`UPDATE series_steps SET decided_before = max(decided_before, ${from}, coalesce(since, ${now})),
    since = coalesce(since, ${now}), planned_day = NULL WHERE id = ${step.id} AND letter_id IS NULL`;
  await runBatch(deps.db, [begin, ...publish(deps, step.id)]);
}

/** Switches a step off. Batches that the provider may have received are still confirmed. */
export async function switchOff(deps: StepsDeps, step: Step): Promise<void> {
  await runBatch(deps.db, withdraw(step, deps.now()));
}

/** Deletes a step. Its letters and their recipients stay, and no one else is sent it. */
export async function deleteStep(deps: StepsDeps, step: Step): Promise<void> {
  await runBatch(deps.db, [...withdraw(step, deps.now()), sql`DELETE FROM series_steps WHERE id = ${step.id}`]);
}

/** Sends a step also to people who joined within the last days before now (of 24 hours). */
export async function extendBack(deps: StepsDeps, step: Step, days: number): Promise<void> {
  const since = deps.now() - days * DAY;
  await runBatch(deps.db, [
    sql`UPDATE series_steps SET since = ${since}, decided_before = min(decided_before, ${since}), planned_day = NULL
      WHERE id = ${step.id} AND since > ${since}`,
  ]);
}

/** Resumes the letters of a step that are paused. @returns how many */
export async function resumeStep(db: Db, id: number): Promise<number> {
  const isPaused = sql`${letters.step_id} = ${id} AND ${letters.state} = 'paused'`;
  return (await db.update(letters).set(running).where(isPaused).returning({ id: letters.id })).length;
}

/** The statements that make the letter of a step, and with that switch it on. */
function publish({ now, emailsPerHour }: StepsDeps, id: number, condition = sql`true`): SQL[] {
  const at = now();
  const isOff = sql`series_steps.id = ${id} AND series_steps.letter_id IS NULL AND ${condition}`;
  // The pause after the first recipients is not repeated, and goes on if it is not over.
  const isInPause = sql`(old.pause_reason = 'first-recipients' AND old.resumes_at > ${at})`;
  const inPause = (name: string) => sql`iif(${isInPause}, ${sql.raw(`old.${name}`)}, NULL)`;
  const letter = sql`INSERT INTO letters (key, state, subject, preview_line, body, reply_to, audience, step_id, created_at,
      updated_at, started_at, batch_size, had_first_pause, pause_reason, paused_at, resumes_at)
    SELECT ${randomKey()}, iif(${isInPause}, 'paused', 'sending'), step.subject, step.preview_line, step.body, step.reply_to,
      '{"filter":{}}', step.id, ${at}, ${at}, ${at}, ${integer(batchSize(emailsPerHour))},
      coalesce(old.had_first_pause, false), ${inPause("pause_reason")}, ${inPause("paused_at")}, ${inPause("resumes_at")}
    FROM (SELECT * FROM series_steps WHERE ${isOff}) AS step
    LEFT JOIN letters AS old ON old.id = (SELECT max(id) FROM letters WHERE step_id = ${id})`;
  const isOn = sql`UPDATE series_steps SET letter_id = (SELECT max(id) FROM letters WHERE step_id = ${id}) WHERE ${isOff}`;
  return [letter, isOn];
}
