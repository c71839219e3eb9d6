import { and, asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { attemptBatch, type BatchAttempt, type ComposeLetter } from "#app/email/letters/attempt-batch.server.ts";
import type { AudienceDeps } from "#app/email/letters/audience.server.ts";
import { greetingCosts } from "#app/email/letters/batch-greetings.server.ts";
import { CHECK_STATEMENTS, checkBatches } from "#app/email/letters/check-batches.server.ts";
import { type CheckedBatch, claimBatches } from "#app/email/letters/claim-batches.server.ts";
import { isSending } from "#app/email/letters/due-letters.server.ts";
import { finish, pauseAfterFirst } from "#app/email/letters/end-of-run.server.ts";
import { running, startScheduled } from "#app/email/letters/letter-states.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { createPacer, type Pacer } from "#app/email/letters/pacer.ts";
import { QUEUE_STATEMENTS, queueRecipients } from "#app/email/letters/queue-recipients.server.ts";
import { pauseStatement, RECORD_STATEMENTS, recordBatches } from "#app/email/letters/record-batches.server.ts";
import { batchSize, FIRST_PAUSE_AFTER, letterRefusal } from "#app/email/letters/sending-limits.ts";
import type { Series, StepRules } from "#app/email/letters/series.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import { recordWithRetry } from "#app/email/record-results.server.ts";
import type { EmailContext } from "#app/email/render-email.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { measureDb } from "#app/server/db/measure-db.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { logInfo, logWarning } from "#app/server/log.ts";
import type { PlanLimits } from "#app/server/plan-limits.ts";

export interface LetterDeps {
  db: Db;
  mailer: Mailer | null;
  plan: Pick<PlanLimits, "letters">;
  emailsPerHour: number;
  emailContext: EmailContext;
  now: () => number;
  /** Absent while no steps are sent: the feature is off. */
  series?: Series | undefined;
  wait?: (milliseconds: number) => Promise<void>;
}

export interface LetterBudget {
  /** D1 statements and requests. */
  subrequests: number;
  /** No batch is sent after this time (milliseconds since 1970). */
  until: number;
}

/** Batches that are claimed, checked and recorded together. */
const GROUP = 4;

/** Groups in progress at a time: one is recorded while the other is sent. */
const LANES = 2;

/** Statements of a run besides queueing and sending: of each letter, and once. */
const LETTER_STATEMENTS = 3;
const RUN_STATEMENTS = 4;

/** Statements of {@link Series.plan} and {@link Series.prepare}, and of the letter. */
const STEP_STATEMENTS = 14;

/** Statements and requests of a group of batches, at most. */
const GROUP_STATEMENTS = 20;

/** Starts, resumes and sends letters, as far as the budget allows; a later run continues. */
export async function sendLetters(deps: LetterDeps, budget: LetterBudget): Promise<void> {
  const { db, usage } = measureDb(deps.db);
  try {
    await sendDue({ ...deps, db }, budget);
  } finally {
    logInfo("letters-run", { ...usage });
  }
}

async function sendDue(deps: LetterDeps, budget: LetterBudget): Promise<void> {
  const { db, now } = deps;
  await startScheduled(db, now());
  await db
    .update(letters)
    .set(running)
    .where(and(eq(letters.state, "paused"), sql`${letters.resumes_at} <= ${now()}`));
  const left = { ...budget, subrequests: budget.subrequests - RUN_STATEMENTS };
  const wait = deps.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  const pacer = createPacer(now, wait);
  // Before other letters: each person is sent a step on a certain day.
  await sendSteps(deps, left, pacer);
  const isStep = isNotNull(letters.step_id);
  const sending = await db
    .select()
    .from(letters)
    .where(deps.series === undefined ? and(isSending, isNull(letters.step_id)) : isSending)
    .orderBy(desc(isStep), asc(letters.id));
  for (const letter of sending) {
    left.subrequests -= LETTER_STATEMENTS;
    if (left.subrequests <= 0) return;
    await sendLetter(deps, letter, left, pacer);
  }
}

/** Writes and sends the recipients of today. In the order of the steps, so that each person gets one after the other. */
async function sendSteps(deps: LetterDeps, left: LetterBudget, pacer: Pacer): Promise<void> {
  const due = (await deps.series?.findDue()) ?? [];
  for (const letter of due) {
    if (await refuseLetter(deps, letter)) continue;
    for (let isDone = false; !isDone; ) {
      // What is begun has to be sent.
      left.subrequests -= STEP_STATEMENTS;
      if (left.subrequests <= GROUP_STATEMENTS || deps.now() >= left.until - 5_000) return;
      const plan = await deps.series?.plan(letter);
      if (plan?.begun.length) await sendLetter(deps, letter, left, pacer, plan.begun);
      isDone = plan?.isDone ?? true;
    }
  }
}

/** @param begun batches of it that may be sent at once */
async function sendLetter(
  deps: LetterDeps,
  letter: Letter,
  left: LetterBudget,
  pacer: Pacer,
  begun: CheckedBatch[] = [],
): Promise<void> {
  const { db, mailer, emailContext, now } = deps;
  if ((await refuseLetter(deps, letter)) || mailer === null) return;
  if (letter.step_id === null) await queueAll(deps, letter, left);
  const rules = letter.step_id === null ? undefined : await deps.series?.prepare(letter);
  const run: Run = {
    ...deps,
    mailer,
    letter,
    left,
    pacer,
    compose: await prepare(letter, emailContext),
    rules,
    begun,
    stopped: false,
  };
  await Promise.all(Array.from({ length: LANES }, () => sendGroups(run)));
  const mayPause = letter.expected > FIRST_PAUSE_AFTER || letter.step_id !== null;
  if (!letter.had_first_pause && mayPause) await pauseAfterFirst(db, letter, now());
  await finish(db, letter, now());
}

/** Pauses a letter if this site cannot send any. @returns whether it did */
async function refuseLetter(deps: LetterDeps, { id }: Letter): Promise<boolean> {
  if (letterRefusal({ ...deps, siteUrl: deps.emailContext.siteUrl }) === null) return false;
  logWarning("letter-refused", { letterId: id });
  await pauseStatement(deps.db, id, { reason: "configuration", resumesAt: null, fault: "letters-refused" }, deps.now());
  return true;
}

/** Imported on demand, with the Markdown parser. A letter that cannot be rendered pauses at its first batch. */
async function prepare(letter: Letter, context: EmailContext): Promise<ComposeLetter> {
  try {
    const { composeLetter } = await import("#app/email/letters/compose-letter.server.ts");
    return composeLetter(letter, context);
  } catch (error) {
    return () => Promise.reject(error);
  }
}

/** Writes recipients, with at most a third of the budget: those who are written can be sent to meanwhile. */
async function queueAll(deps: LetterDeps, letter: Letter, left: LetterBudget): Promise<void> {
  const { db, emailContext, now } = deps;
  if (letter.queued_at !== null) return;
  const audience: AudienceDeps = { db, timeZone: emailContext.ownerTimeZone, now };
  if (letter.queued === 0) await fixBatchSize(deps, letter);
  for (let statements = QUEUE_STATEMENTS; statements <= left.subrequests / 3 && now() < left.until; ) {
    left.subrequests -= QUEUE_STATEMENTS;
    statements += QUEUE_STATEMENTS;
    if (await queueRecipients(audience, letter)) return;
  }
}

/** Positions are divided by it, so it cannot change later. */
async function fixBatchSize({ db, emailsPerHour }: LetterDeps, letter: Letter): Promise<void> {
  const size = batchSize(emailsPerHour);
  if (size === letter.batch_size) return;
  await db
    .update(letters)
    .set({ batch_size: size })
    .where(and(eq(letters.id, letter.id), eq(letters.queued, 0)));
  letter.batch_size = size;
}

interface Run extends LetterDeps {
  mailer: Mailer;
  letter: Letter;
  left: LetterBudget;
  pacer: Pacer;
  compose: ComposeLetter;
  /** Undefined for a letter that is of no step. */
  rules: StepRules | undefined;
  /** To be sent before any other is claimed. */
  begun: CheckedBatch[];
  /** Set when no further batch should be sent in this run. */
  stopped: boolean;
}

async function sendGroups(run: Run): Promise<void> {
  const { db, letter, left, emailsPerHour: perHour, now } = run;
  const isQuiet = run.rules?.isQuiet ?? false;
  const greetings = greetingCosts(letter);
  const record = RECORD_STATEMENTS + greetings.record;
  // Twice, because recording is repeated if it fails.
  const cost = 1 + CHECK_STATEMENTS + greetings.check + GROUP + 2 * record;
  while (!run.stopped && now() < left.until && left.subrequests >= cost) {
    left.subrequests -= cost;
    const begun = run.begun.splice(0);
    const claimed =
      begun.length > 0 ? [] : await claimBatches(db, letter, { now: now(), limit: GROUP, perHour, isQuiet });
    if (begun.length + claimed.length === 0) {
      left.subrequests += cost - 1;
      return;
    }
    const checked = begun.length > 0 ? begun : await checkBatches(db, letter, claimed, now(), run.rules?.reasons);
    if (checked.length === 0) return;
    const attempts = await Promise.all(checked.map((batch) => sendInTurn(run, batch)));
    const pause = attempts.find((attempt) => attempt.pause !== null)?.pause ?? null;
    const results = attempts.map(({ result }) => result);
    const recordAll = () => recordBatches(db, letter, results, { now: now(), pause });
    await recordWithRetry(recordAll, "record-batches-failed", { letterId: letter.id, batches: results.length });
    if (pause !== null) logWarning("letter-paused", { letterId: letter.id, reason: pause.reason, fault: pause.fault });
    left.subrequests += record + GROUP - checked.length;
  }
}

async function sendInTurn(run: Run, batch: CheckedBatch): Promise<BatchAttempt> {
  const { letter, left, pacer, now } = run;
  const { number, attempts, firstAttemptAt, isFirst } = batch;
  if (batch.members.length > 0) await pacer.turn();
  if (run.stopped || now() >= left.until) {
    const first = isFirst ? null : firstAttemptAt;
    const released = {
      state: "open",
      firstAttemptAt: first,
      nextAttemptAt: now(),
      counts: false,
      reason: null,
    } as const;
    return { result: { number, attempts, ...released }, pause: null, delay: 0, outcome: null };
  }
  const attempt = await attemptBatch(run, letter, batch, run.compose);
  if (attempt.outcome?.state === "sent") pacer.observe(attempt.outcome.rateLimit);
  if (attempt.delay === null) run.stopped = true;
  else if (attempt.outcome !== null && attempt.outcome.state !== "sent") pacer.delay(attempt.delay);
  return attempt;
}
