import { and, asc, eq, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import type { Statement } from "#app/server/db/prepared-batch.server.ts";
import { fairDevices, fairInbox, fairSignUps, type HeldReason } from "#app/server/db/schema/fair.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { logError, logInfo } from "#app/server/log.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { questions } from "#app/site.ts";
import { optionalColumnNames, type SignUpFields } from "#app/waitlist/entry-fields.server.ts";
import { createOpener, type Opener, openSignUp } from "#app/waitlist/fair/open.server.ts";
import { prepareVouched } from "#app/waitlist/fair/prepare-vouched.server.ts";
import { parseAnswer } from "#app/waitlist/questions/questions.server.ts";
import { type SignUpDeps, signUp } from "#app/waitlist/sign-up.server.ts";

/** How many one run adds at most. On the free plan, opening and hashing more would take too much CPU time. */
const MAX_ADDED: Record<WorkersPlan, number> = { free: 4, paid: 100 };

/** Statements for one sign-up at most: those of its batch, and one that puts it off. */
const SIGN_UP_STATEMENTS = 10;

/** Statements that are left to the rest of the run, besides the one that finds what is due. */
const OTHER_STATEMENTS = 4;

/** How long one waits whose addition failed, so that it does not hold up the others (milliseconds). */
const RETRY_AFTER = 10 * 60_000;

/** How long after it was typed one is put off because of its mailbox (milliseconds). Then the owner decides. */
const LONGEST_PUT_OFF = 3 * 24 * 3_600_000;

interface Budget {
  /** D1 statements that the run has left. */
  subrequests: number;
  /** No further sign-up is begun after this time (milliseconds since 1970). */
  until: number;
}

/**
 * Adds the oldest sign-ups of the inbox that are due, as far as the budget allows. Each is one D1 batch with its id: however
 * often this is interrupted, repeated or run at the same time, none is added twice.
 *
 * @returns how many were decided on
 */
export async function addDue(deps: SignUpDeps, plan: WorkersPlan, { subrequests, until }: Budget): Promise<number> {
  const affordable = Math.floor((subrequests - 1 - OTHER_STATEMENTS) / SIGN_UP_STATEMENTS);
  const limit = Math.min(MAX_ADDED[plan], affordable);
  if (limit < 1) return 0;
  const openers = new Map<number, Promise<Opener | null>>();
  let decided = 0;
  for (const due of await findDue(deps.db, deps.now(), limit)) {
    if (deps.now() >= until) break;
    const opener = openers.get(due.device_id) ?? openerOf(due);
    openers.set(due.device_id, opener);
    if (await addOne(deps, due, await opener)) decided += 1;
  }
  if (decided > 0) logInfo("fair-sign-ups-added", { signUps: decided });
  return decided;
}

type Due = Awaited<ReturnType<typeof findDue>>[number];

/** The inbox first, so that a device is read only for what is added now. */
function findDue(db: Db, now: number, limit: number) {
  const { id, device_id, typed_at, consent_version, sealed, state, due_at } = fairInbox;
  const { event, source, public_key, private_key } = fairDevices;
  const due = db
    .select({ id, device_id, typed_at, consent_version, sealed })
    .from(fairInbox)
    .where(and(eq(state, "due"), lte(due_at, now)))
    .orderBy(asc(due_at), asc(typed_at), asc(id))
    .limit(limit)
    .as("due");
  return db
    .select({
      id: due.id,
      device_id: due.device_id,
      typed_at: due.typed_at,
      consent_version: due.consent_version,
      sealed: due.sealed,
      event,
      source,
      public_key,
      private_key,
    })
    .from(due)
    .crossJoin(fairDevices)
    .where(eq(fairDevices.id, due.device_id))
    .orderBy(asc(due.typed_at), asc(due.id));
}

async function openerOf({ device_id, public_key, private_key }: Due): Promise<Opener | null> {
  // A key that cannot be read holds up no other device.
  return private_key === null ? null : createOpener(device_id, { public_key, private_key }).catch(() => null);
}

/** @returns whether it was added, or was found on the list */
async function addOne(deps: SignUpDeps, due: Due, opener: Opener | null): Promise<boolean> {
  const { db, now } = deps;
  const content = opener === null ? null : await openSignUp(opener, due);
  if (content === null) return hold(db, due.id, "unreadable");
  try {
    const outcome = await signUp(deps, {
      email: normaliseEmail(content.email),
      source: due.source,
      columns: noColumns,
      via: null,
      // As the tablet showed it, perhaps weeks ago.
      wording: due.consent_version,
      honeypot: undefined,
      challenge: undefined,
      clientIp: "",
      vouched: {
        addBatch: addOnce,
        values: { signUpId: due.id, deviceId: due.device_id },
        joinedAt: due.typed_at,
        answers: validAnswers(content.answers),
        emailData: { event: due.event, at: due.typed_at },
      },
    });
    switch (outcome.kind) {
      case "joined":
      case "already-joined":
        return true;
      case "launched":
        return hold(db, due.id, "launched");
      case "rate-limited":
        if (due.typed_at < now() - LONGEST_PUT_OFF) return hold(db, due.id, "mailbox");
        return putOff(db, due.id, now() + outcome.retryAfter * 1_000);
      case "invalid-email":
        return hold(db, due.id, "address");
      case "disposable-email":
        return hold(db, due.id, "disposable");
      case "invalid-source":
      case "unknown-wording":
      case "challenge-failed":
        throw new Error(`unexpected outcome ${outcome.kind}`);
    }
  } catch (error) {
    if (findQuotaError(error) !== null) throw error;
    if (wasAdded(error)) return forget(db, due.id);
    logError("fair-sign-up-failed", error, { deviceId: due.device_id });
    return putOff(db, due.id, now() + RETRY_AFTER);
  }
}

const noColumns = Object.fromEntries(optionalColumnNames.map((name) => [name, null])) as SignUpFields["columns"];

/** The answers that the questions of now allow: they may have changed since the form was loaded. */
function validAnswers(given: Record<string, string>): Record<string, string> {
  const answers = questions.map((question) => [
    question.key,
    parseAnswer(question, given[question.key] ?? null).answer,
  ]);
  return Object.fromEntries(answers.filter(([, answer]) => typeof answer === "string"));
}

const addOnce = prepareVouched((db, isDecided) => [markDecided(db, isDecided), leaveInbox(db)]);

/** Fails if the sign-up was decided before. */
function markDecided(db: Db, isDecided: SQL): Statement {
  const given = sql.placeholder;
  return db.insert(fairSignUps).select(sql`SELECT ${given("signUpId")}, ${given("deviceId")} WHERE ${isDecided}`);
}

function leaveInbox(db: Db): Statement {
  const isMarked = sql`EXISTS (SELECT 1 FROM ${fairSignUps} WHERE ${fairSignUps.id} = ${fairInbox.id})`;
  return db.delete(fairInbox).where(and(isDue(sql.placeholder("signUpId")), isMarked));
}

function isDue(id: string | Placeholder): SQL | undefined {
  return and(eq(fairInbox.state, "due"), eq(fairInbox.id, id));
}

/** Whether a batch failed because another run had added the sign-up. */
function wasAdded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /UNIQUE constraint failed: fair_sign_ups\.id/.test(error.message) || wasAdded(error.cause);
}

async function forget(db: Db, id: string): Promise<false> {
  await db.delete(fairInbox).where(isDue(id));
  return false;
}

async function hold(db: Db, id: string, reason: HeldReason): Promise<false> {
  await db.update(fairInbox).set({ state: "held", reason }).where(isDue(id));
  return false;
}

async function putOff(db: Db, id: string, dueAt: number): Promise<false> {
  await db.update(fairInbox).set({ due_at: dueAt }).where(isDue(id));
  return false;
}
