import { batchRetries, emailRetries } from "#app/email/limits.ts";
import type { ClaimedEmail } from "#app/email/outbox.server.ts";
import { type EmailPause, emailPauseAfter, isQuota, type Pause } from "#app/email/pauses.server.ts";
import { renderEmail } from "#app/email/render-email.server.ts";
import type { EmailContext } from "#app/server/context.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { describeError, type LogFields, logError, logInfo, redactRecipients } from "#app/server/log.ts";
import {
  type BatchMessage,
  type BatchOutcome,
  hasForgottenKey,
  type Mailer,
  type SendOutcome,
} from "#app/server/mailer.server.ts";
import { backOff } from "#app/server/queue.server.ts";
import { DAY, type EpochMillis, HOUR, MINUTE, type Millis } from "#app/server/time/units.ts";

interface AttemptDeps {
  mailer: Mailer;
  emailContext: EmailContext;
  now: () => EpochMillis;
}

/** Due again. `firstAttemptAt` is null if no attempt so far can have been accepted. */
interface DueAgain {
  state: "waiting";
  reason: EmailReason | null;
  nextAttemptAt: EpochMillis;
  attempts: number;
  firstAttemptAt: EpochMillis | null;
}

export type AttemptResult = { id: string } & (
  | { state: "sent" }
  | DueAgain
  /** `nextAttemptAt`: from when a new sign-up may queue it again. */
  | { state: "dead"; reason: EmailReason; nextAttemptAt?: EpochMillis }
);

interface Attempt {
  result: AttemptResult;
  pause: EmailPause | null;
  /** When the provider takes the next request; 0 if at once. */
  nextRequestAt: EpochMillis;
}

/** How long a provider may put off one email before it is dead. */
const MAX_POSTPONEMENT = 3 * DAY;

/** Renders and submits a claimed email. Never throws. */
export async function attemptSend(deps: AttemptDeps, claim: ClaimedEmail): Promise<Attempt> {
  const { mailer, now } = deps;
  const fields = { emailId: claim.id, kind: claim.kind, attempts: claim.attempts };
  const dead = (reason: "link-expired" | "outcome-unknown"): Attempt => ({
    result: { id: claim.id, state: "dead", reason },
    pause: null,
    nextRequestAt: 0,
  });
  if (hasExpired(claim, now())) return dead("link-expired");
  // The provider has forgotten the key, so it would send an email again that it accepted before.
  if (hasForgottenKey(mailer, claim.firstAttemptAt, now())) {
    const outcome = { outcome: "dead", reason: "outcome-unknown" };
    logError("email-failed", "the idempotency key has expired", { ...fields, ...outcome });
    return dead("outcome-unknown");
  }
  const outcome = await submit(deps, claim);
  const pause = emailPauseAfter(outcome, now(), claim);
  const result = toResult(claim, outcome, pause, now());
  if (outcome.state === "sent") logInfo("email-sent", fields);
  else logError("email-failed", outcome.detail, { ...fields, outcome: result.state, reason: outcome.reason });
  const delay = outcome.state === "sent" ? (outcome.delay ?? 0) : 0;
  return { result, pause, nextRequestAt: pause?.until ?? (delay === 0 ? 0 : now() + delay) };
}

/** The result for a claimed email that was not submitted: it is due again, in its old place. */
export function release(claim: ClaimedEmail): AttemptResult {
  return putOff(claim, { reason: claim.reason, nextAttemptAt: claim.createdAt, wasRefused: true });
}

async function submit({ mailer, emailContext }: AttemptDeps, claim: ClaimedEmail): Promise<SendOutcome> {
  try {
    const message = await renderEmail(claim, emailContext);
    const outcome = await mailer.send(message, claim.id);
    if (outcome.state === "sent") return outcome;
    return { ...outcome, detail: redactRecipients(outcome.detail, [message.to]) };
  } catch (error) {
    logError("email-not-rendered", error, { emailId: claim.id, kind: claim.kind });
    return { state: "unknown", reason: "site-fault", detail: "see email-not-rendered" };
  }
}

function toResult(
  claim: ClaimedEmail,
  outcome: SendOutcome,
  pause: EmailPause | null,
  now: EpochMillis,
): AttemptResult {
  const { id, attempts, firstAttemptAt } = claim;
  if (outcome.state === "sent") return { id, state: "sent" };
  const { state, reason } = outcome;
  if (pause !== null) {
    // A quota is used up for every email alike, so the oldest keeps its place. A fault may be this email's: another is next.
    const nextAttemptAt = isQuota(reason) ? claim.createdAt : pause.until;
    return putOff(claim, { reason, nextAttemptAt, wasRefused: true });
  }
  if (state === "later") {
    // As long as it has waited, at least 5 minutes and at most an hour.
    const waited = now - firstAttemptAt;
    if (waited >= MAX_POSTPONEMENT) return { id, state: "dead", reason };
    const delay = Math.max(Math.min(Math.max(waited, 5 * MINUTE), HOUR), outcome.retryAfter ?? 0);
    return putOff(claim, { reason, nextAttemptAt: now + delay, wasRefused: false });
  }
  if (state === "permanent" || attempts >= emailRetries.maxAttempts) return { id, state: "dead", reason };
  const nextAttemptAt = now + backOff(emailRetries, attempts);
  return { ...putOff(claim, { reason, nextAttemptAt, wasRefused: state === "configuration" }), attempts };
}

/** An attempt that does not count. `wasRefused`: the provider cannot have accepted the email. */
function putOff(
  { id, attempts, firstAttemptAt, claimedAt }: ClaimedEmail,
  { wasRefused, ...later }: { reason: EmailReason | null; nextAttemptAt: EpochMillis; wasRefused: boolean },
): { id: string } & DueAgain {
  const isFirst = wasRefused && firstAttemptAt === claimedAt;
  return { id, state: "waiting", ...later, attempts: attempts - 1, firstAttemptAt: isFirst ? null : firstAttemptAt };
}

/** A sign-in link must not arrive after it has expired. */
function hasExpired({ kind, data }: ClaimedEmail, now: EpochMillis): boolean {
  return kind === "sign-in" && (data as { expiresAt: number }).expiresAt <= now;
}

/** Emails that go out with one request. */
export interface Batch {
  /** The idempotency key. */
  key: string;
  /** So far, with this one. */
  attempts: number;
  /** The first attempt that the provider may have accepted, and whether that is this one. */
  firstAttemptAt: EpochMillis;
  isFirst: boolean;
  /** The emails, the same at each attempt, or why they cannot be composed. Never rejects. */
  compose: () => Promise<BatchMessage[] | EmailReason>;
  fields: LogFields;
}

export type BatchResult =
  /** `failed`: which emails the provider rejected, by index. */
  | { state: "sent"; failed: number[] }
  | { state: "unknown"; reason: "never-confirmed" | "changed" }
  /** `isNewRound`: whether the next attempt has a new idempotency key. */
  | (DueAgain & { isNewRound: boolean });

export interface BatchAttempt {
  result: BatchResult;
  /** Why no further batch like it should be sent: for a letter, it pauses. */
  pause: Pause | null;
  /** How long no further request should be made; null if no further batch should be sent in this run. */
  delay: Millis | null;
  outcome: BatchOutcome | null;
}

/** A run waits this long for the provider's next rate-limit window; otherwise a later run continues. */
export const MAX_WAIT: Millis = 5_000;

/** A batch of at least so many that is rejected as a whole is the fault of its words, not of its recipients. */
const MIN_ALL_REJECTED = 10;

/** Submits a claimed batch whose recipients were checked. Never throws. */
export async function attemptBatch(
  { mailer, now }: Omit<AttemptDeps, "emailContext">,
  batch: Batch,
): Promise<BatchAttempt> {
  const unknown = (reason: "never-confirmed" | "changed"): BatchAttempt => {
    logError("letter-batch-unknown", reason, batch.fields);
    return { result: { state: "unknown", reason }, pause: null, delay: 0, outcome: null };
  };
  // The provider has forgotten the key, and would send an email again that it accepted before.
  if (hasForgottenKey(mailer, batch.firstAttemptAt, now())) return unknown("never-confirmed");
  const messages = await batch.compose();
  const outcome = await submitBatch(mailer, batch, messages);
  if (outcome.state === "permanent" && outcome.reason === "outcome-unknown") return unknown("changed");
  return { ...judgeBatch(batch, outcome, messages.length, now()), outcome };
}

export function releaseBatch(batch: Batch, nextAttemptAt: EpochMillis): BatchResult {
  return { ...putOffBatch(batch, nextAttemptAt, null), isNewRound: false };
}

async function submitBatch(
  mailer: Mailer,
  { key, attempts, fields }: Batch,
  messages: BatchMessage[] | EmailReason,
): Promise<BatchOutcome> {
  if (typeof messages === "string" || mailer.batch === undefined) {
    const reason = typeof messages === "string" ? messages : "site-fault";
    return { state: "configuration", reason, detail: "see letter-not-rendered" };
  }
  const outcome = await mailer
    .batch(messages, key)
    .catch((error): BatchOutcome => ({ state: "unknown", reason: "site-fault", detail: describeError(error) }));
  if (outcome.state === "sent") logInfo("letter-batch-sent", { ...fields, attempts, failed: outcome.failed.length });
  else {
    const recipients = messages.map(({ to }) => to);
    const detail = redactRecipients(outcome.detail, recipients);
    logError("letter-batch-failed", detail, { ...fields, attempts, outcome: outcome.state, reason: outcome.reason });
  }
  return outcome;
}

function judgeBatch(
  batch: Batch,
  outcome: BatchOutcome,
  emails: number,
  now: EpochMillis,
): Omit<BatchAttempt, "outcome"> {
  const { attempts, firstAttemptAt } = batch;
  if (outcome.state === "sent") {
    const { failed, delay = 0 } = outcome;
    if (failed.length < emails || emails < MIN_ALL_REJECTED)
      return { result: { state: "sent", failed }, pause: null, delay };
    // Nothing was accepted, but the provider repeats this response for the same key.
    const again = { ...putOffBatch(batch, now, "rejected"), firstAttemptAt: null, isNewRound: true };
    return { result: again, pause: { reason: "rejected", until: null }, delay: null };
  }
  const { reason } = outcome;
  if (outcome.state === "configuration" || outcome.state === "permanent") {
    return { result: putOffBatch(batch, now, reason), pause: { reason, until: null }, delay: null };
  }
  const pause = emailPauseAfter(outcome, now);
  // A quota that refuses a batch of 100 may have room for single emails.
  if (isQuota(reason)) return { result: putOffBatch(batch, now, reason), pause, delay: null };
  if (pause !== null) {
    const delay = pause.until - now;
    if (delay <= MAX_WAIT) return { result: putOffBatch(batch, now, reason), pause: null, delay };
    return { result: putOffBatch(batch, pause.until, reason), pause: null, delay: null };
  }
  const retryAfter = outcome.state === "later" ? (outcome.retryAfter ?? 0) : 0;
  const nextAttemptAt = now + Math.max(retryAfter, backOff(batchRetries, attempts));
  const result = { state: "waiting", reason, nextAttemptAt, attempts, firstAttemptAt, isNewRound: false } as const;
  return { result, pause: null, delay: null };
}

/** The provider refused it, so this attempt changed nothing. If it has none, the next one may have other recipients. */
function putOffBatch(
  { attempts, firstAttemptAt, isFirst }: Batch,
  nextAttemptAt: EpochMillis,
  reason: EmailReason | null,
): BatchResult & { state: "waiting" } {
  const first = isFirst ? null : firstAttemptAt;
  const state = "waiting";
  return { state, reason, nextAttemptAt, attempts: attempts - 1, firstAttemptAt: first, isNewRound: isFirst };
}
