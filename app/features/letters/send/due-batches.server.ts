import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Batch, BatchResult } from "#app/email/attempt.server.ts";
import { OTHER_SUBREQUESTS } from "#app/email/limits.ts";
import { type Pause, pauseLetters } from "#app/email/pauses.server.ts";
import type { BatchGroup, SenderRun } from "#app/email/sender.server.ts";
import { type AudienceDeps, isInAudience } from "#app/features/letters/send/audience.server.ts";
import {
  BATCH_STATEMENTS,
  type ClaimedBatch,
  claimBatches,
  recordBatches,
  type StepRules,
} from "#app/features/letters/send/batches.server.ts";
import { startScheduled } from "#app/features/letters/send/letter-states.server.ts";
import {
  integer,
  isSending,
  type Letter,
  PAUSES_OF_LETTER,
  updateLetterIf,
} from "#app/features/letters/send/letters.server.ts";
import type { ComposeLetter } from "#app/features/letters/send/render-letter.server.ts";
import {
  batchSize,
  FIRST_PAUSE_AFTER,
  FIRST_PAUSE_TIME,
  letterRefusal,
} from "#app/features/letters/send/sending-limits.ts";
import { type PlanLimits, planLimits } from "#app/server/config/plan-limits.ts";
import type { AppContext, EmailContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";
import { wrapD1 } from "#app/server/db/wrap-d1.server.ts";
import { logError, logInfo, logWarning } from "#app/server/log.ts";
import type { Mailer } from "#app/server/mailer.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export interface LetterDeps extends Pick<AppContext, "db" | "emailsPerHour" | "emailContext" | "now"> {
  mailer: Mailer | null;
  plan: Pick<PlanLimits, "letters" | "subrequests">;
  /** Absent while no steps are sent: the feature is off. */
  series?: Series | undefined;
}

/** What letters need to know of the series, whose steps are sent as letters to which recipients are added day by day. */
export interface Series {
  /** The letters of the steps whose recipients of today are not all written, in the order of the steps. */
  findDue(): Promise<Letter[]>;
  /** Writes recipients of today. @returns whether all are written: steps after this one wait for that */
  plan(letter: Letter): Promise<boolean>;
  prepare(letter: Letter): Promise<StepRules>;
}

/** Batches that are claimed, checked and recorded together: each is one request. */
const GROUP = 8;

/** Batches that one D1 batch writes, and its statements. */
const CHUNK = 50;
const QUEUE_STATEMENTS = 3;

/** Statements of {@link Series.plan} and {@link Series.prepare}, at most. */
const STEP_STATEMENTS = 10;

/**
 * The batches of letters and steps that are due, as far as the run allows; the next run continues. Letters that are
 * scheduled start, and those whose pause has ended go on.
 */
export async function* dueBatches(deps: LetterDeps, run: SenderRun): AsyncGenerator<BatchGroup, void, void> {
  // What the run's statements cost, as D1 reports it.
  const usage = { statements: 0, rowsWritten: 0 };
  const measure = async <Result>(work: () => Promise<Result>) => {
    const results = await work();
    for (const { meta } of [results].flat() as { meta: { rows_written: number } }[]) {
      usage.statements += 1;
      usage.rowsWritten += meta.rows_written;
    }
    return results;
  };
  try {
    yield* sendDue({ ...deps, db: drizzle(wrapD1(deps.db.$client, measure, { hasMeta: true })) }, run);
  } finally {
    logInfo("letters-run", usage);
  }
}

async function* sendDue(deps: LetterDeps, run: SenderRun): AsyncGenerator<BatchGroup, void, void> {
  const { db, now, series } = deps;
  await startScheduled({ db, timeZone: deps.emailContext.ownerTimeZone, now });
  await db.run(sql`DELETE FROM email_pauses WHERE scope = 'letter' AND until <= ${now()}`);
  // Deployed sites send letters on the paid plan only, and local ones have no limits.
  const more = planLimits.paid.subrequests - deps.plan.subrequests;
  const left = () => (now() < run.until ? run.subrequests + more - OTHER_SUBREQUESTS : 0);
  // Before other letters: each person is sent a step on a certain day. In the order of the steps, one after the other.
  for (const letter of (await series?.findDue()) ?? []) {
    if (await refuseLetter(deps, letter)) continue;
    for (let isDone = false; !isDone; ) {
      if (left() < STEP_STATEMENTS + BATCH_STATEMENTS + GROUP) return;
      isDone = (await series?.plan(letter)) ?? true;
      yield* sendLetter(deps, letter, left);
    }
  }
  const sending = await db
    .select()
    .from(letters)
    .where(series === undefined ? and(isSending, isNull(letters.step_id)) : isSending)
    .orderBy(desc(isNotNull(letters.step_id)), asc(letters.id));
  for (const letter of sending) {
    if (left() <= 0) return;
    yield* sendLetter(deps, letter, left);
  }
}

async function* sendLetter(
  deps: LetterDeps,
  letter: Letter,
  left: () => number,
): AsyncGenerator<BatchGroup, void, void> {
  const { db, emailContext, emailsPerHour: perHour, now } = deps;
  if (await refuseLetter(deps, letter)) return;
  if (letter.step_id === null && letter.queued_at === null) await queueRecipients(deps, letter, left);
  const rules = letter.step_id === null ? null : ((await deps.series?.prepare(letter)) ?? null);
  const compose = await prepareToCompose(letter, emailContext);
  let isPaused = false;
  while (!isPaused && left() >= BATCH_STATEMENTS + GROUP) {
    const limit = Math.min(GROUP, left() - BATCH_STATEMENTS);
    const claimed = await claimBatches(db, letter, { now: now(), limit, perHour, rules });
    if (claimed.length === 0) break;
    // Nobody is left of some. A step may have a reason for all at once, although an earlier attempt has reached them.
    const filled = claimed.filter(({ members }) => members.length > 0);
    const empty = claimed.filter(({ members }) => members.length === 0);
    const ofEmpty = empty.map(
      ({ isFirst }): BatchResult =>
        letter.step_id === null || isFirst
          ? { state: "sent", failed: [] }
          : { state: "unknown", reason: "never-confirmed" },
    );
    yield {
      batches: filled.map((batch) => toBatch(letter, batch, compose)),
      record: async (results, pause) => {
        await recordBatches(db, letter, [...filled, ...empty], [...results, ...ofEmpty], { now: now(), pause });
        isPaused = pause !== null;
        if (pause !== null) logWarning("letter-paused", { letterId: letter.id, reason: pause.reason });
      },
    };
  }
  await pauseAfterFirst(db, letter, now());
  await finish(db, letter, now());
}

function toBatch(letter: Letter, batch: ClaimedBatch, compose: ComposeLetter): Batch {
  const { number, round, attempts, firstAttemptAt, isFirst, members } = batch;
  return {
    key: `letter-${letter.key}-${number}-${round}`,
    attempts,
    firstAttemptAt,
    isFirst,
    fields: { letterId: letter.id, batch: number, emails: members.length },
    compose: () =>
      Promise.all(members.map((member) => compose(member, firstAttemptAt))).catch((error: unknown) => {
        logError("letter-not-rendered", error);
        // By its name, since the class comes with the Markdown parser.
        return error instanceof Error && error.name === "LetterProblemError" ? "letter-problem" : "site-fault";
      }),
  };
}

/** Pauses a letter if this site cannot send any. @returns whether it did */
async function refuseLetter(deps: LetterDeps, { id }: Letter): Promise<boolean> {
  if (letterRefusal({ ...deps, siteUrl: deps.emailContext.siteUrl }) === null) return false;
  logWarning("letter-refused", { letterId: id });
  const pause: Pause = { reason: "letters-refused", until: null };
  await pauseLetters(deps.db, sql`${letters.id} = ${id}`, pause, deps.now());
  return true;
}

/** Imported on demand, with the Markdown parser. A letter that cannot be rendered pauses at its first batch. */
async function prepareToCompose(letter: Letter, context: EmailContext): Promise<ComposeLetter> {
  try {
    const { composeLetter } = await import("#app/features/letters/send/render-letter.server.ts");
    return composeLetter(letter, context);
  } catch (error) {
    return () => Promise.reject(error);
  }
}

/**
 * Writes the recipients of a letter, with at most a third of what is left: those who are written can be sent to meanwhile. The next
 * ones, their batches and the letter's cursor are one D1 batch: however often this is interrupted, repeated or run at the
 * same time, each person is written once.
 */
async function queueRecipients(deps: LetterDeps, letter: Letter, left: () => number): Promise<void> {
  const { db, emailContext, emailsPerHour, now } = deps;
  const audience: AudienceDeps = { db, timeZone: emailContext.ownerTimeZone, now };
  // Positions are divided by it, so it cannot change later.
  const size = letter.queued === 0 ? batchSize(emailsPerHour) : letter.batch_size;
  if (size !== letter.batch_size) {
    await updateLetterIf(db, letter.id, eq(letters.queued, 0), { batch_size: size });
    letter.batch_size = size;
  }
  for (const least = (left() * 2) / 3; left() - QUEUE_STATEMENTS >= least; ) {
    if (await queueChunk(audience, letter)) return;
  }
}

/** @returns whether all are written */
export async function queueChunk(deps: AudienceDeps, letter: Letter): Promise<boolean> {
  const { db } = deps;
  const { id, audience, batch_size: size, newest_entry_id: newest } = letter;
  const isWriting = sql`letters.id = ${id} AND letters.state = 'sending' AND letters.queued_at IS NULL
    AND NOT EXISTS (${sql.raw(PAUSES_OF_LETTER)})`;
  const limit = sql`(SELECT min(${CHUNK * size}, expected - queued) FROM letters WHERE letters.id = ${id})`;
  const { created_at } = waitlistEmails;
  // The unary plus leaves the index on times as the only way, so that a chunk reads little more than its own people. A
  // letter from before recipients were written in the order of joining has some of them already.
  const next: SQL = sql`SELECT waitlist_emails.id AS entry, ${created_at} AS joined FROM ${waitlistEmails}
    WHERE (${created_at}, waitlist_emails.id) > (SELECT cursor_created_at, cursor FROM letters WHERE letters.id = ${id})
    AND +waitlist_emails.id <= ${newest} AND ${isInAudience(deps, audience)}
    AND NOT EXISTS (SELECT 1 FROM letter_recipients WHERE entry_id = waitlist_emails.id AND letter_id = ${id})
    ORDER BY ${created_at}, waitlist_emails.id LIMIT ${limit}`;
  const recipients = sql`INSERT INTO letter_recipients (letter_id, position, entry_id)
    SELECT ${id}, letters.queued + row_number() OVER (ORDER BY joined, entry) - 1, entry FROM letters, (${next}) WHERE ${isWriting}`;
  const written = sql`FROM letter_recipients WHERE letter_id = ${id} AND position >= letters.queued`;
  const batches = sql`INSERT INTO letter_batches (letter_id, number)
    SELECT DISTINCT ${id}, position / ${integer(size)} FROM letters, letter_recipients
    WHERE ${isWriting} AND letter_recipients.letter_id = ${id} AND position >= letters.queued`;
  const advance = sql`UPDATE letters SET
      (cursor, cursor_created_at) = (SELECT coalesce(max(id), cursor), coalesce(max(created_at), cursor_created_at)
        FROM waitlist_emails WHERE id = (SELECT entry_id ${written} ORDER BY position DESC LIMIT 1)),
      queued_at = iif((SELECT count(*) ${written}) < ${CHUNK * size} OR queued + ${CHUNK * size} >= expected, ${deps.now()}, NULL),
      queued = queued + (SELECT count(*) ${written})
    WHERE ${isWriting} RETURNING queued_at`;
  type Rows = [[], [], { queued_at: number | null }[]];
  const [, , [advanced]] = await runBatch<Rows>(db, [recipients, batches, advance]);
  // No row: the letter was paused or stopped, or someone else wrote the last recipients.
  return advanced === undefined || advanced.queued_at !== null;
}

/** Pauses a letter once all of its first recipients are done, so that their bounces can arrive. */
async function pauseAfterFirst(db: Db, letter: Letter, now: EpochMillis): Promise<void> {
  const { id, step_id, batch_size: size } = letter;
  if (letter.had_first_pause || (letter.expected <= FIRST_PAUSE_AFTER && step_id === null)) return;
  const first = sql`number < ${Math.ceil(FIRST_PAUSE_AFTER / size)}`;
  const sent = sql`(SELECT coalesce(sum(sent), 0) FROM letter_batches WHERE letter_batches.letter_id = ${id})`;
  const isDue =
    step_id === null
      ? sql`${letters.queued} >= ${FIRST_PAUSE_AFTER} AND NOT ${hasWaiting(letter, first)}`
      : sql`${sent} >= ${FIRST_PAUSE_AFTER} AND ${hasWaiting(letter)}`;
  const isThis = sql`${letters.id} = ${id} AND NOT ${letters.had_first_pause} AND ${isDue}`;
  const pause: Pause = { reason: "first-recipients", until: now + FIRST_PAUSE_TIME };
  const [, paused] = await runBatch<[[], unknown[]]>(db, [
    pauseLetters(db, isThis, pause, now).getSQL(),
    sql`UPDATE letters SET had_first_pause = 1 WHERE ${isThis} AND state = 'sending' RETURNING id`,
  ]);
  if (paused.length > 0) logInfo("letter-paused", { letterId: id, reason: pause.reason, resumesAt: pause.until });
}

/** Finishes a letter once every recipient is sent it, skipped or failed; those with an unknown outcome wait for the owner. */
async function finish(db: Db, letter: Letter, now: EpochMillis): Promise<void> {
  const isDone = and(
    eq(letters.state, "sending"),
    isNotNull(letters.queued_at),
    sql`NOT EXISTS (${sql.raw(PAUSES_OF_LETTER)})`,
    sql`NOT ${hasWaiting(letter)}`,
    letter.step_id === null
      ? sql`NOT EXISTS (SELECT 1 FROM letter_batches INDEXED BY letter_batches_dead
          WHERE letter_id = ${letter.id} AND dead_at IS NOT NULL)`
      : undefined,
  );
  const isFinished = await updateLetterIf(db, letter.id, isDone, { state: "finished", finished_at: now });
  if (isFinished) logInfo("letter-finished", { letterId: letter.id });
}

function hasWaiting({ id }: Letter, condition: SQL = sql`true`): SQL {
  return sql`EXISTS (SELECT 1 FROM letter_batches INDEXED BY letter_batches_waiting
    WHERE letter_batches.letter_id = ${id} AND done_at IS NULL AND dead_at IS NULL AND ${condition})`;
}
