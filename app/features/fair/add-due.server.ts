import { and, asc, eq, ne, type SQL, sql } from "drizzle-orm";
import { createOpener, type Opener, openSignUp } from "#app/features/fair/open.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import { fairDevices, fairInbox, type ReviewReason } from "#app/server/db/schema/fair.server.ts";
import type { NamedSql } from "#app/server/db/sql-batch.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { addJob, type JobHandler, recordResults } from "#app/server/queue.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { acceptedQuestions, presentAnswers } from "#app/waitlist/questions/questions.server.ts";
import { DECIDING_EMAIL } from "#app/waitlist/sign-up/daily-limit.server.ts";
import { parseSignUp } from "#app/waitlist/sign-up/entry-fields.server.ts";
import { type SignUpDeps, signUp } from "#app/waitlist/sign-up/sign-up.server.ts";

/** Statements for one sign-up at most: those of its batch, and two that put it off. */
const SIGN_UP_STATEMENTS = 11;

/** How long one waits whose addition failed, so that it does not hold up the others. */
const RETRY_AFTER: Millis = 10 * 60_000;

/** How long after it was typed one is put off because of its mailbox. Then the owner decides. */
const LONGEST_PUT_OFF: Millis = 3 * 24 * 3_600_000;

/** Attempts that the platform may have ended because of the next sign-up, which is put off then. */
const MAX_INTERRUPTED = 3;

type FairDeps = SignUpDeps & { plan: Pick<PlanLimits, "fairSignUpsAtOnce" | "jobsOfEachKind"> };

/**
 * Adds what tablets at fairs have sent, the oldest of a tablet first. Each sign-up is one D1 batch with its id: however often
 * this is interrupted, repeated or run at the same time, none is added twice.
 */
export const fairJobs: JobHandler<FairDeps> = {
  kind: "fair",
  subjects: sql`SELECT id FROM fair_devices WHERE closed_at IS NULL`,
  // Find what is due, and record.
  statements: 2,
  unit: { statements: SIGN_UP_STATEMENTS, most: ({ plan }) => plan.fairSignUpsAtOnce },
  // Never given up: what cannot be added is put off, or left to the owner.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async work(deps, job, limit) {
    const { db, now } = deps;
    const putOff = job.data as PutOff | null;
    const due = await findDue(db, job.subject, { only: putOff?.signUp, limit });
    const opener = due[0] === undefined ? null : await createOpener(job.subject, due[0]);
    const isStuck = job.attempts > MAX_INTERRUPTED;
    for (const signUp of due.slice(0, isStuck ? 1 : limit)) {
      if (isStuck) await putOffUntil(db, signUp, now() + RETRY_AFTER);
      else await addOne(deps, signUp, opener);
    }
    const mayHaveMore = putOff === null && (isStuck || due.length === limit);
    await recordResults(db, [[job, mayHaveMore ? { next_attempt_at: now(), attempts: 0 } : { done_at: now() }]]);
    if (due.length > 0) logInfo("fair-sign-ups-handled", { signUps: due.length, deviceId: job.subject });
  },
};

type PutOff = { signUp: string };

type Due = Awaited<ReturnType<typeof findDue>>[number];

function findDue(db: Db, device: number, { only, limit }: { only: string | undefined; limit: number }) {
  const { id, device_id, state, typed_at, consent_version, sealed } = fairInbox;
  const { event, source, public_key, private_key } = fairDevices;
  const isNext = only === undefined ? eq(state, "due") : and(eq(state, "put-off"), eq(id, only));
  return db
    .select({ id, device_id, typed_at, consent_version, sealed, event, source, public_key, private_key })
    .from(fairInbox)
    .innerJoin(fairDevices, eq(fairDevices.id, device_id))
    .where(and(eq(device_id, device), isNext))
    .orderBy(asc(typed_at), asc(id))
    .limit(limit);
}

async function addOne(deps: FairDeps, due: Due, opener: Opener | null): Promise<void> {
  const { db, now } = deps;
  const content = await openSignUp(opener, due);
  if (content === null) return leaveToOwner(deps, due, "unreadable");
  try {
    const outcome = await signUp(deps, {
      ...parseSignUp({ email: content.email, source: due.source }),
      // As the tablet showed it, perhaps weeks ago.
      wording: due.consent_version,
      clientIp: "",
      trusted: {
        before: (email, limit) => takeFromInbox(due, email, limit),
        joinedAt: due.typed_at,
        // They may have changed since the form was loaded.
        answers: presentAnswers(content.answers, acceptedQuestions()),
        emailData: { event: due.event, at: due.typed_at },
      },
    });
    switch (outcome.kind) {
      case "joined":
      case "already-joined":
        return;
      case "launched":
        return leaveToOwner(deps, due, "launched");
      case "rate-limited":
        if (due.typed_at < now() - LONGEST_PUT_OFF) return leaveToOwner(deps, due, "mailbox");
        return putOffUntil(db, due, now() + outcome.retryAfter * 1_000);
      case "invalid-email":
        return leaveToOwner(deps, due, "address");
      case "disposable-email":
        return leaveToOwner(deps, due, "disposable");
      case "invalid-source":
      case "unknown-wording":
      case "challenge-failed":
        throw new Error(`unexpected outcome ${outcome.kind}`);
    }
  } catch (error) {
    if (findQuotaError(error) !== null) throw error;
    if (wasAdded(error)) {
      await db.delete(fairInbox).where(isUndecided(due.id));
      return;
    }
    logError("fair-sign-up-failed", error, { deviceId: due.device_id });
    return putOffUntil(db, due, now() + RETRY_AFTER);
  }
}

/** Takes a sign-up out of the inbox, unless its mailbox is at its daily limit. Fails if it was decided before. */
function takeFromInbox({ id, device_id }: Due, email: string, limit: NamedSql["values"]): Record<string, NamedSql> {
  const mark = `INSERT INTO fair_sign_ups (id, device_id)
    SELECT :id, :device_id
    WHERE NOT EXISTS (${DECIDING_EMAIL})
      OR EXISTS (SELECT 1 FROM waitlist_emails WHERE email = :email AND status = 'active')`;
  const take = `DELETE FROM fair_inbox
    WHERE id = :id AND state <> 'held' AND EXISTS (SELECT 1 FROM fair_sign_ups WHERE fair_sign_ups.id = fair_inbox.id)`;
  return { mark: { text: mark, values: { id, device_id, email, ...limit } }, take: { text: take, values: { id } } };
}

function isUndecided(id: string): SQL | undefined {
  return and(ne(fairInbox.state, "held"), eq(fairInbox.id, id));
}

/** Whether a batch failed because another run had added the sign-up. */
function wasAdded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /UNIQUE constraint failed: fair_sign_ups\.id/.test(error.message) || wasAdded(error.cause);
}

async function leaveToOwner({ db, now }: FairDeps, { id }: Due, reason: ReviewReason): Promise<void> {
  await db.update(fairInbox).set({ state: "held", reason, changed_at: now() }).where(isUndecided(id));
}

/** Gives a sign-up a job of its own. */
async function putOffUntil(db: Db, { id, device_id }: Due, next_attempt_at: EpochMillis): Promise<void> {
  const job = { kind: "fair", subject: device_id, data: { signUp: id } satisfies PutOff, next_attempt_at } as const;
  await db.batch([
    db.update(fairInbox).set({ state: "put-off" }).where(isUndecided(id)),
    addJob(db, job, sql`changes() > 0`),
  ]);
}
