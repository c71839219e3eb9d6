import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { AudienceDeps } from "#app/features/letters/send/audience.server.ts";
import type { LetterContent } from "#app/features/letters/send/check-letter.server.ts";
import { type Letter, randomKey, resumeLetters } from "#app/features/letters/send/letters.server.ts";
import { batchSize } from "#app/features/letters/send/sending-limits.ts";
import { dueTimes, MAX_STEPS } from "#app/features/letters/series/step-days.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type Step, seriesSteps } from "#app/server/db/schema/series.server.ts";
import { type NamedSql, runBatch } from "#app/server/db/sql-batch.server.ts";
import { localDate } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export type StepDraft = LetterContent & Pick<Step, "days" | "audience">;

/** The hour of the day of a new series: when people look at their inbox. */
export const DEFAULT_HOUR = 9;

interface StepsDeps extends AudienceDeps {
  emailsPerHour: number;
}

export function listSteps(db: Db): Promise<Step[]> {
  return db.select().from(seriesSteps).orderBy(asc(seriesSteps.days));
}

export async function findStep(db: Db, id: number): Promise<Step | null> {
  const [step] = await db.select().from(seriesSteps).where(eq(seriesSteps.id, id));
  return step ?? null;
}

/** Adds a step, which is off at first. @returns its id; null if there are as many as there may be */
export async function createStep(db: Db, draft: StepDraft, now: EpochMillis): Promise<number | null> {
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

export function isSameDays(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes("UNIQUE constraint failed: series_steps.days") || isSameDays(error.cause);
}

/**
 * Changes a step. What the provider may have received already stays as it was; everyone else is sent the new content.
 * Ends a pause of the step that waits for the owner.
 *
 * @param before statements for the same batch, which go before the change
 * @returns whether it is still as it was read
 */
export async function changeStep(
  deps: StepsDeps,
  step: Step,
  draft: StepDraft,
  before: (isUnchanged: SQL) => NamedSql[] = () => [],
): Promise<boolean> {
  const { subject, preview_line, body, reply_to, days, audience } = draft;
  // Later than the last change, even if the clock has not moved on.
  const version = Math.max(deps.now(), step.updated_at + 1);
  const isUnchanged = sql`id = ${step.id} AND updated_at = ${step.updated_at} AND letter_id IS ${step.letter_id}`;
  const kept = before(sql`EXISTS (SELECT 1 FROM series_steps WHERE ${isUnchanged})`);
  const change = sql`UPDATE series_steps SET subject = ${subject}, preview_line = ${preview_line}, body = ${body},
    reply_to = ${reply_to}, days = ${days}, audience = ${audience === null ? null : JSON.stringify(audience)},
    updated_at = ${version}
    WHERE ${isUnchanged} RETURNING id`;
  const again = step.letter_id === null ? [] : publish(deps, step.id, version);
  const results = await runBatch(deps.db, [...kept, change, ...withdraw(step, deps.now()), ...again]);
  return (results[kept.length] ?? []).length > 0;
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

/** Deletes a step with its earlier versions. Its letters and their recipients stay, and no one else is sent it. */
export async function deleteStep(deps: StepsDeps, step: Step): Promise<void> {
  await runBatch(deps.db, [
    ...withdraw(step, deps.now()),
    sql`DELETE FROM series_steps WHERE id = ${step.id}`,
    sql`DELETE FROM saved_versions WHERE path = ${stepPath(step.id)}`,
  ]);
}

/** The owner's page of a step. */
export function stepPath(id: number): string {
  return `/owner/series/${id}`;
}

/** Sends a step also to people who joined within the last days before now (of 24 hours). */
export async function extendBack(deps: StepsDeps, step: Step, days: number): Promise<void> {
  const since = deps.now() - days * 24 * 3_600_000;
  await runBatch(deps.db, [
    sql`UPDATE series_steps SET since = ${since}, decided_before = min(decided_before, ${since}), planned_day = NULL
      WHERE id = ${step.id} AND since > ${since}`,
  ]);
}

export async function resumeStep(db: Db, id: number): Promise<number> {
  return (await db.all(resumeLetters(sql`letters.step_id = ${id}`))).length;
}

/**
 * Makes the letter of a step, and with that switches it on. Changes nothing for one that is on, or was changed since its
 * `:version` (null: any). The pause after the first recipients is not repeated, and goes on if it is not over.
 */
const PUBLISH = [
  `INSERT INTO letters (key, state, subject, preview_line, body, reply_to, audience, step_id, created_at, updated_at, started_at,
  batch_size, had_first_pause)
SELECT :key, 'sending', step.subject, step.preview_line, step.body, step.reply_to, '{"filter":{}}', step.id, :now, :now, :now,
  CAST(:size AS INTEGER), coalesce(old.had_first_pause, false)
FROM series_steps AS step LEFT JOIN letters AS old ON old.id = (SELECT max(id) FROM letters WHERE step_id = :step)
WHERE step.id = :step AND step.letter_id IS NULL AND (:version IS NULL OR step.updated_at = :version)`,
  `INSERT INTO email_pauses (scope, letter_id, reason, until, created_at)
SELECT 'letter', (SELECT max(id) FROM letters WHERE step_id = :step), reason, until, created_at FROM email_pauses
WHERE changes() > 0 AND scope = 'letter' AND reason = 'first-recipients' AND until > :now AND letter_id = (
  SELECT id FROM letters WHERE step_id = :step ORDER BY id DESC LIMIT 1 OFFSET 1)`,
  `UPDATE series_steps SET letter_id = (SELECT max(id) FROM letters WHERE step_id = :step)
WHERE id = :step AND letter_id IS NULL AND (:version IS NULL OR updated_at = :version)`,
];

function publish({ now, emailsPerHour }: StepsDeps, step: number, version: number | null = null): NamedSql[] {
  const values = { key: randomKey(), now: now(), size: batchSize(emailsPerHour), step, version };
  return PUBLISH.map((text) => ({ text, values }));
}

/** Deletes the recipients of a letter whose batch the provider cannot have received, and these batches. */
const DELETE_UNTRIED = [
  `DELETE FROM letter_recipients WHERE letter_id = :letter AND state = 'pending'
  AND position / (SELECT batch_size FROM letters WHERE id = :letter) IN (
    SELECT number FROM letter_batches INDEXED BY letter_batches_waiting
    WHERE letter_id = :letter AND done_at IS NULL AND dead_at IS NULL AND first_attempt_at IS NULL)`,
  `DELETE FROM letter_batches
WHERE letter_id = :letter AND done_at IS NULL AND dead_at IS NULL AND first_attempt_at IS NULL`,
];

/**
 * Withdraws a step's letter. The batches of one that waits for the owner are not attempted again: what the provider may have
 * received stays unknown. Recipients whose batch was never attempted are written again by the next plan, unless they are too
 * late by now.
 */
const WITHDRAW = [
  `UPDATE letter_recipients SET state = 'unknown', reason = 'never-confirmed', done_at = :now
WHERE letter_id = :letter AND state = 'pending' AND position / (SELECT batch_size FROM letters WHERE id = :letter) IN (
  SELECT number FROM letter_batches INDEXED BY letter_batches_waiting
  WHERE letter_id = :letter AND done_at IS NULL AND dead_at IS NULL AND first_attempt_at IS NOT NULL AND leased_until <= :now)
  AND EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'follow-ups' AND letter_id = :letter)`,
  `UPDATE letter_batches SET dead_at = :now
WHERE letter_id = :letter AND done_at IS NULL AND dead_at IS NULL AND first_attempt_at IS NOT NULL AND leased_until <= :now
  AND EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'follow-ups' AND letter_id = :letter)`,
  `UPDATE letter_recipients SET state = 'skipped', reason = 'late', done_at = :now
WHERE letter_id = :letter AND state = 'pending' AND position / (SELECT batch_size FROM letters WHERE id = :letter) IN (
  SELECT number FROM letter_batches INDEXED BY letter_batches_waiting
  WHERE letter_id = :letter AND done_at IS NULL AND dead_at IS NULL AND first_attempt_at IS NULL)
  AND entry_id IN (SELECT id FROM waitlist_emails
    WHERE iif(confirm_by IS NULL, created_at, coalesce(confirmed_at, created_at))
      < (SELECT decided_before FROM series_steps WHERE id = :step))`,
  ...DELETE_UNTRIED,
  `UPDATE letters SET queued_at = :now, (finished_at, state) = (
  SELECT iif(has_open, NULL, :now), iif(has_open, 'sending', 'finished') FROM (
    SELECT EXISTS (SELECT 1 FROM letter_batches INDEXED BY letter_batches_waiting
      WHERE letter_id = :letter AND done_at IS NULL AND dead_at IS NULL) AS has_open))
WHERE id = :letter AND queued_at IS NULL`,
  "DELETE FROM email_pauses WHERE letter_id = :letter AND until IS NULL",
  "UPDATE series_steps SET letter_id = NULL, planned_day = NULL WHERE id = :step AND letter_id = :letter",
];

function withdraw({ id: step, letter_id: letter }: Step, now: EpochMillis): NamedSql[] {
  return letter === null ? [] : WITHDRAW.map((text) => ({ text, values: { step, letter, now } }));
}

/** Deletes the recipients of a withdrawn letter whose batch was refused since. The next plan writes them again. */
export async function forgetUntried(db: Db, { id: letter, queued_at }: Letter): Promise<void> {
  const statements = DELETE_UNTRIED.map((text) => ({ text, values: { letter } }));
  if (queued_at !== null) await runBatch(db, statements);
}
