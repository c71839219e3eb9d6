import type { BatchMember, CheckedBatch } from "#app/email/letters/claim-batches.server.ts";
import { LetterProblemError } from "#app/email/letters/letter-problems.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import type { BatchResult, LetterPause } from "#app/email/letters/record-batches.server.ts";
import { type BatchMessage, type BatchOutcome, hasForgottenKey, type Mailer } from "#app/email/mailer.server.ts";
import { pauseFor } from "#app/email/pauses.server.ts";
import { describeError, logError, logInfo, redactRecipients } from "#app/server/log.ts";

interface AttemptDeps {
  mailer: Mailer;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * Turns a recipient into their email: the same at each attempt.
 *
 * @param firstAttemptAt of the batch (milliseconds since 1970): links that expire count from it
 */
export type ComposeLetter = (member: BatchMember, firstAttemptAt: number) => Promise<BatchMessage>;

export interface BatchAttempt {
  result: BatchResult;
  /** Set if the letter has to pause. */
  pause: LetterPause | null;
  /** How long no further request should be made (milliseconds): null if no further batch should be sent in this run. */
  delay: number | null;
  outcome: BatchOutcome | null;
}

type SiteFault = "site-fault" | "letter-problem";

const MINUTE = 60_000;

/** A run waits this long for the provider's next rate-limit window; otherwise a later run continues (milliseconds). */
const MAX_WAIT = 5_000;

/** A batch of at least so many that is rejected as a whole is the fault of the letter, not of its recipients. */
const MIN_ALL_REJECTED = 10;

/** Submits a claimed batch whose recipients were checked. Never throws. */
export async function attemptBatch(
  { mailer, now }: AttemptDeps,
  letter: Letter,
  batch: CheckedBatch,
  compose: ComposeLetter,
): Promise<BatchAttempt> {
  const { number, attempts, members } = batch;
  const ends = (result: BatchResult): BatchAttempt => ({ result, pause: null, delay: 0, outcome: null });
  const unknown = (reason: "never-confirmed" | "changed") => {
    logError("letter-batch-unknown", reason, { letterId: letter.id, batch: number, emails: members.length });
    return ends({ number, attempts, state: "unknown", reason });
  };
  if (members.length === 0) {
    // A step may have a reason for all at once, such as the launch, although an earlier attempt has reached them.
    if (letter.step_id !== null && !batch.isFirst) return unknown("never-confirmed");
    return ends({ number, attempts, state: "done", sent: 0, failed: [] });
  }
  // The provider has forgotten the key, and would send an email again that it accepted before.
  if (hasForgottenKey(mailer, batch.firstAttemptAt, now())) return unknown("never-confirmed");
  const outcome = await submit(mailer, letter, batch, await composeAll(batch, compose));
  if (outcome.state === "permanent" && outcome.reason === "outcome-unknown") return unknown("changed");
  return { ...judge(batch, outcome, now()), outcome };
}

/** Why it failed, if an email could not be composed. */
async function composeAll(
  { members, firstAttemptAt }: CheckedBatch,
  compose: ComposeLetter,
): Promise<BatchMessage[] | SiteFault> {
  try {
    return await Promise.all(members.map((member) => compose(member, firstAttemptAt)));
  } catch (error) {
    logError("letter-not-rendered", error);
    return error instanceof LetterProblemError ? "letter-problem" : "site-fault";
  }
}

async function submit(
  mailer: Mailer,
  { id, key }: Letter,
  { number, round, attempts }: CheckedBatch,
  messages: BatchMessage[] | SiteFault,
): Promise<BatchOutcome> {
  if (typeof messages === "string" || mailer.batch === undefined) {
    const reason = typeof messages === "string" ? messages : "site-fault";
    return { state: "configuration", reason, detail: "see letter-not-rendered" };
  }
  const outcome = await mailer
    .batch(messages, `letter-${key}-${number}-${round}`)
    .catch((error): BatchOutcome => ({ state: "unknown", reason: "site-fault", detail: describeError(error) }));
  const fields = { letterId: id, batch: number, emails: messages.length, attempts };
  if (outcome.state === "sent") logInfo("letter-batch-sent", { ...fields, failed: outcome.failed.length });
  else {
    const recipients = messages.map(({ to }) => to);
    const detail = redactRecipients(outcome.detail, recipients);
    logError("letter-batch-failed", detail, { ...fields, outcome: outcome.state, reason: outcome.reason });
  }
  return outcome;
}

function judge(batch: CheckedBatch, outcome: BatchOutcome, now: number): Omit<BatchAttempt, "outcome"> {
  const { number, attempts, members, firstAttemptAt, isFirst } = batch;
  const open = { number, attempts, state: "open" } as const;
  if (outcome.state === "sent") {
    const failed = outcome.failed.flatMap((index) => members[index]?.position ?? []);
    const isFault = failed.length === members.length && failed.length >= MIN_ALL_REJECTED;
    // Nothing was accepted, but the provider repeats this response for the same key.
    const refused = {
      firstAttemptAt: null,
      nextAttemptAt: now,
      counts: false,
      reason: "rejected",
      isNewRound: true,
    } as const;
    if (isFault) return { result: { ...open, ...refused }, pause: fault("rejected"), delay: null };
    const sent = members.length - failed.length;
    return { result: { number, attempts, state: "done", sent, failed }, pause: null, delay: outcome.delay ?? 0 };
  }
  const { reason } = outcome;
  /** The provider refused it, so this attempt changed nothing. If it has none, the next one may have other recipients. */
  const release = (nextAttemptAt: number): BatchResult => {
    const first = isFirst ? null : firstAttemptAt;
    return { ...open, firstAttemptAt: first, nextAttemptAt, counts: false, reason, isNewRound: isFirst };
  };
  const emailPause = pauseFor(outcome, now);
  if (outcome.state === "configuration" || outcome.state === "permanent") {
    return { result: release(now), pause: fault(reason), delay: null };
  }
  if (reason === "daily-quota" || reason === "monthly-quota") {
    const resumesAt = emailPause?.until ?? now;
    return { result: release(now), pause: { reason: "quota", resumesAt, fault: reason }, delay: null };
  }
  if (emailPause !== null) {
    const delay = emailPause.until - now;
    if (delay <= MAX_WAIT) return { result: release(now), pause: null, delay };
    return { result: release(emailPause.until), pause: null, delay: null };
  }
  const retryAfter = outcome.state === "later" ? (outcome.retryAfter ?? 0) : 0;
  const nextAttemptAt = now + Math.max(retryAfter, backOff(attempts));
  return { result: { ...open, firstAttemptAt, nextAttemptAt, counts: true, reason }, pause: null, delay: null };
}

function fault(reason: LetterPause["fault"]): LetterPause {
  return { reason: "configuration", resumesAt: null, fault: reason };
}

/** Delay after the nth attempt without a known outcome (milliseconds): a minute, doubled each time, at most half an hour. */
function backOff(attempts: number): number {
  return Math.min(MINUTE * 2 ** (attempts - 1), 30 * MINUTE);
}
