import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { pauseLetters } from "#app/email/pauses.server.ts";
import { type AudienceDeps, countAudience, readAudienceNow } from "#app/features/letters/send/audience.server.ts";
import { checkLetter } from "#app/features/letters/send/check-letter.server.ts";
import {
  findLetter,
  hasAudiencePause,
  isDueToStart,
  type Letter,
  PAUSES_OF_LETTER,
  resumeLetters,
  updateLetterIf,
} from "#app/features/letters/send/letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailPauses } from "#app/server/db/schema/email.server.ts";
import { letterBatches, letterRecipients, letters } from "#app/server/db/schema/letters.server.ts";
import { runBatch } from "#app/server/db/sql-batch.server.ts";
import { logWarning } from "#app/server/log.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/** A schedule missed by more than this makes the letter a draft again. */
const MAX_DELAY: Millis = 60 * 60_000;

/** Letters that one run starts, with two statements each. The next run, a minute later, starts others. */
const MAX_STARTS = 3;

/** How many people may get a scheduled letter without asking the owner again: up to a fifth more than they confirmed. */
export function mostPeople(confirmed: number): number {
  return Math.floor((confirmed * 6) / 5);
}

/**
 * `wrong-count`: the audience is not as many as the owner confirmed; `too-early`: the time of the schedule has passed;
 * `not-a-draft`: it is none, or was changed in the meantime.
 */
export type StartOutcome =
  | { kind: "started" | "scheduled" | "nobody" | "too-early" | "has-problems" | "not-a-draft" }
  | { kind: "wrong-count"; count: number };

/**
 * Starts a letter, now or at a time. Freezes its content; one that starts now also the newest entry: people who join later
 * are not written to. Who matches at its time gets a scheduled one ({@link startScheduled}).
 *
 * @param count how many people the owner confirmed
 * @param at null: now
 * @param seen when the letter that the owner saw was saved last; absent: any
 */
export async function startLetter(
  deps: AudienceDeps,
  id: number,
  { count, at = null, seen }: { count: number; at?: EpochMillis | null; seen?: EpochMillis },
): Promise<StartOutcome> {
  const { db } = deps;
  const now = deps.now();
  if (at !== null && at <= now) return { kind: "too-early" };
  const letter = await findLetter(db, id);
  if (letter?.state !== "draft" || (seen ?? letter.updated_at) !== letter.updated_at) return { kind: "not-a-draft" };
  if (checkLetter(letter) !== null) return { kind: "has-problems" };
  const present = await countAudience(deps, letter.audience);
  if (present === 0) return { kind: "nobody" };
  if (present !== count) return { kind: "wrong-count", count: present };
  const isUnchanged = and(eq(letters.state, "draft"), eq(letters.updated_at, letter.updated_at));
  const isStarted = await updateLetterIf(db, id, isUnchanged, {
    ...(at === null ? { state: "sending", started_at: now } : { state: "scheduled" }),
    scheduled_for: at,
    expected: count,
    newest_entry_id: at === null ? sql`(SELECT max(id) FROM waitlist_emails)` : null,
    has_web_link: sql`is_public`,
  });
  if (!isStarted) return { kind: "not-a-draft" };
  return { kind: at === null ? "started" : "scheduled" };
}

/** Makes a scheduled letter a draft again, which keeps the time. @returns whether anything changed */
export async function unscheduleLetter(db: Db, id: number): Promise<boolean> {
  const isScheduled = and(eq(letters.id, id), eq(letters.state, "scheduled"));
  const [changed] = await db.batch([
    db.update(letters).set({ state: "draft" }).where(isScheduled).returning({ id: letters.id }),
    endAudiencePause(db, id),
  ]);
  return changed.length > 0;
}

/**
 * Starts scheduled letters whose time has come, for those who match now. If these are more than {@link mostPeople} of whom
 * the owner confirmed, or nobody, the letter waits for the owner instead. Those that should have started more than
 * {@link MAX_DELAY} ago become drafts that keep their `scheduled_for`: the owner decides again.
 */
export async function startScheduled(deps: AudienceDeps): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  const isMissed = sql`${letters.scheduled_for} < ${now - MAX_DELAY}`;
  await db
    .update(letters)
    .set({ state: "draft", updated_at: now })
    .where(and(isDueToStart(now), isMissed));
  const due = await db
    .select()
    .from(letters)
    .where(isDueToStart(now))
    .orderBy(asc(letters.scheduled_for), asc(letters.id))
    .limit(MAX_STARTS);
  for (const letter of due) {
    const present = await readAudienceNow(deps, letter.audience);
    if (present.people > 0 && present.people <= mostPeople(letter.expected)) {
      await updateLetterIf(db, letter.id, isStill(letter), started(present, now));
    } else {
      await db.run(sql`INSERT INTO email_pauses (scope, letter_id, reason, until, created_at)
        SELECT 'letter', ${letter.id}, 'audience-changed', NULL, ${now} FROM letters WHERE ${isStill(letter)}
        ON CONFLICT DO NOTHING`);
      logWarning("letter-not-started", { letterId: letter.id, expected: letter.expected, people: present.people });
    }
  }
}

/** Of runs of the cron job at the same time, and of owners, the first one decides what becomes of it. */
function isStill({ id, updated_at, scheduled_for, expected }: Letter) {
  return sql`${letters.id} = ${id} AND ${letters.state} = 'scheduled' AND ${letters.updated_at} = ${updated_at}
    AND ${letters.scheduled_for} = ${scheduled_for} AND ${letters.expected} = ${expected} AND NOT ${hasAudiencePause}`;
}

/** What is set of a scheduled letter that starts, for those who match now. */
function started({ people, newest }: Awaited<ReturnType<typeof readAudienceNow>>, now: EpochMillis) {
  return {
    state: "sending",
    started_at: now,
    updated_at: now,
    expected: people,
    newest_entry_id: newest,
    has_web_link: sql`is_public`,
  } as const;
}

/** After a statement that may have ended the schedule of a letter, in the same D1 batch. */
function endAudiencePause(db: Db, id: number) {
  const isOver = sql`NOT EXISTS (SELECT 1 FROM letters WHERE letters.id = ${id} AND state = 'scheduled')`;
  return db
    .delete(emailPauses)
    .where(and(eq(emailPauses.letter_id, id), eq(emailPauses.reason, "audience-changed"), isOver));
}

/**
 * Starts a scheduled letter that waits for the owner, for those who match now, under the same condition as at its time.
 *
 * @param count how many people the owner has confirmed now
 * @param seen when the letter that the owner saw was changed last; absent: any
 */
export async function startForPresent(
  deps: AudienceDeps,
  id: number,
  { count, seen }: { count: number; seen?: EpochMillis | undefined },
): Promise<StartOutcome & { people?: number }> {
  const { db } = deps;
  const letter = await findLetter(db, id);
  if (letter?.state !== "scheduled" || letter.pause?.reason !== "audience-changed") return { kind: "not-a-draft" };
  if (seen !== undefined && seen !== letter.updated_at) return { kind: "not-a-draft" };
  const present = await readAudienceNow(deps, letter.audience);
  if (present.people === 0) return { kind: "nobody" };
  if (present.people > mostPeople(count)) return { kind: "wrong-count", count: present.people };
  const isSame = and(eq(letters.updated_at, letter.updated_at), eq(letters.expected, letter.expected));
  const isWaiting = and(eq(letters.id, id), eq(letters.state, "scheduled"), hasAudiencePause, isSame);
  const [changed] = await db.batch([
    db.update(letters).set(started(present, deps.now())).where(isWaiting).returning({ id: letters.id }),
    endAudiencePause(db, id),
  ]);
  return changed.length > 0 ? { kind: "started", people: present.people } : { kind: "not-a-draft" };
}

/** Pauses a letter until the owner resumes it. Emails that are being sent still go out. @returns whether anything changed */
export async function pauseLetter(db: Db, id: number, now: EpochMillis): Promise<boolean> {
  const isGoing = sql`letters.id = ${id} AND NOT EXISTS (${sql.raw(PAUSES_OF_LETTER)} AND until IS NULL)`;
  const [, [changed]] = await runBatch<[[], { pauses: number }[]]>(db, [
    pauseLetters(db, isGoing, { reason: "owner", until: null }, now).getSQL(),
    sql`SELECT changes() AS pauses`,
  ]);
  return (changed?.pauses ?? 0) > 0;
}

/** Resumes a paused letter; skips the rest of the pause after the first recipients. @returns whether anything changed */
export async function resumeLetter(db: Db, id: number): Promise<boolean> {
  return (await db.all(resumeLetters(sql`letters.id = ${id} AND letters.state = 'sending'`))).length > 0;
}

/**
 * Ends a letter for good: recipients who have not been sent it are skipped. Batches that the provider may have received have
 * an unknown outcome, unless one is being sent: its sender records the result.
 *
 * @returns whether anything changed
 */
export async function stopLetter(db: Db, id: number, now: EpochMillis): Promise<boolean> {
  const stopped = { state: "stopped", finished_at: now } as const;
  if (!(await updateLetterIf(db, id, eq(letters.state, "sending"), stopped))) return false;
  const isInDoubt = sql`letter_batches.letter_id = ${id} AND letter_batches.done_at IS NULL AND letter_batches.dead_at IS NULL
    AND letter_batches.first_attempt_at IS NOT NULL AND letter_batches.leased_until <= ${now}`;
  await runBatch(db, [
    sql`UPDATE letter_recipients SET state = 'unknown', reason = 'never-confirmed', done_at = ${now}
      WHERE letter_id = ${id} AND state = 'pending' AND position / (SELECT batch_size FROM letters WHERE letters.id = ${id})
        IN (SELECT number FROM letter_batches INDEXED BY letter_batches_waiting WHERE ${isInDoubt})`,
    sql`UPDATE letter_batches SET dead_at = ${now} WHERE ${isInDoubt}`,
    sql`DELETE FROM email_pauses WHERE letter_id = ${id}`,
    sql`DELETE FROM letter_greetings WHERE letter_id = ${id}`,
  ]);
  return true;
}

/**
 * Decides about recipients whose outcome is unknown: send them the letter again, or count them as sent.
 *
 * @returns how many; a letter that was stopped is not sent again
 */
export async function resolveUnknown(db: Db, id: number, decision: Decision, now: EpochMillis): Promise<number> {
  const canDecide =
    decision === "count-as-sent"
      ? undefined
      : sql`EXISTS (SELECT 1 FROM letters WHERE letters.id = ${id} AND state = 'sending')`;
  const isUnknown = and(eq(letterBatches.letter_id, id), isNotNull(letterBatches.dead_at), canDecide);
  const members = and(eq(letterRecipients.letter_id, id), eq(letterRecipients.state, "unknown"), canDecide);
  const { recipient, batch } = decided[decision];
  const done = { ...recipient, done_at: recipient.state === "sent" ? now : null };
  const [resolved] = await db.batch([
    db.update(letterRecipients).set(done).where(members).returning({ position: letterRecipients.position }),
    db.update(letterBatches).set(batch).where(isUnknown),
  ]);
  return resolved.length;
}

type Decision = keyof typeof decided;

const decided = {
  "count-as-sent": {
    recipient: { state: "sent", reason: "counted-as-sent" },
    batch: { done_at: sql`dead_at`, dead_at: null },
  },
  "send-again": {
    recipient: { state: "pending", reason: null },
    batch: {
      round: sql`round + 1`,
      dead_at: null,
      attempts: 0,
      first_attempt_at: null,
      next_attempt_at: 0,
      leased_until: 0,
      reason: null,
    },
  },
} as const;
