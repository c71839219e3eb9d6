import { hasForgottenKey, type Mailer, type SendOutcome } from "#app/email/mailer.server.ts";
import type { Claim } from "#app/email/outbox.server.ts";
import { type EmailPause, isQuota, pauseFor } from "#app/email/pauses.server.ts";
import type { AttemptResult } from "#app/email/record-results.server.ts";
import type { EmailContext } from "#app/email/render-email.server.ts";
import { renderEmail } from "#app/email/render-email.server.ts";
import { MAX_ATTEMPTS, postponement, retryDelay } from "#app/email/retry-schedule.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { logError, logInfo, redactRecipients } from "#app/server/log.ts";

interface AttemptDeps {
  mailer: Mailer;
  emailContext: EmailContext;
  now: () => number;
}

interface Attempt {
  result: AttemptResult;
  /** The pause of all email that follows from it. */
  pause: EmailPause | null;
  /** When the provider takes the next request (milliseconds since 1970); 0 if at once. */
  nextRequestAt: number;
}

/** How long a provider may put off one email before it is dead (milliseconds). */
const MAX_POSTPONEMENT = 3 * 24 * 60 * 60_000;

/** Renders and submits a claimed email. Never throws. */
export async function attemptSend(deps: AttemptDeps, claim: Claim): Promise<Attempt> {
  const { mailer, now } = deps;
  const dead = (reason: "link-expired" | "outcome-unknown"): Attempt => ({
    result: { id: claim.id, state: "dead", reason },
    pause: null,
    nextRequestAt: 0,
  });
  if (hasExpired(claim, now())) return dead("link-expired");
  // The provider has forgotten the key, so it would send an email again that it accepted before.
  if (hasForgottenKey(mailer, claim.firstAttemptAt, now())) {
    logError("email-failed", "the idempotency key has expired", logFields(claim, "dead", "outcome-unknown"));
    return dead("outcome-unknown");
  }
  const outcome = await submit(deps, claim);
  const pause = pauseFor(outcome, now(), claim);
  const result = toResult(claim, outcome, pause, now());
  if (outcome.state === "sent")
    logInfo("email-sent", { emailId: claim.id, kind: claim.kind, attempts: claim.attempts });
  else logError("email-failed", outcome.detail, logFields(claim, result.state, outcome.reason));
  const delay = outcome.state === "sent" ? (outcome.delay ?? 0) : 0;
  return { result, pause, nextRequestAt: pause?.until ?? (delay === 0 ? 0 : now() + delay) };
}

/** The result for a claimed email that was not submitted: it is due again, in its old place. */
export function release(claim: Claim): AttemptResult {
  return putOff(claim, { reason: null, nextAttemptAt: claim.createdAt, wasRefused: true });
}

async function submit({ mailer, emailContext }: AttemptDeps, claim: Claim): Promise<SendOutcome> {
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

function toResult(claim: Claim, outcome: SendOutcome, pause: EmailPause | null, now: number): AttemptResult {
  const { id, attempts, firstAttemptAt } = claim;
  if (outcome.state === "sent") return { id, state: "sent" };
  const { state, reason } = outcome;
  if (pause !== null) {
    // A quota is used up for every email alike, so the oldest keeps its place. A fault may be this email's: another is next.
    const nextAttemptAt = isQuota(reason) ? claim.createdAt : pause.until;
    return putOff(claim, { reason, nextAttemptAt, wasRefused: true });
  }
  if (state === "later") {
    const waited = now - firstAttemptAt;
    if (waited >= MAX_POSTPONEMENT) return { id, state: "dead", reason };
    const delay = Math.max(postponement(waited), outcome.retryAfter ?? 0);
    return putOff(claim, { reason, nextAttemptAt: now + delay, wasRefused: false });
  }
  if (state === "permanent" || attempts >= MAX_ATTEMPTS) return { id, state: "dead", reason };
  // The provider cannot have accepted an email that it refused.
  const keptFirstAttempt = state === "configuration" && firstAttemptAt === claim.claimedAt ? null : firstAttemptAt;
  return {
    id,
    state: "waiting",
    reason,
    nextAttemptAt: now + retryDelay(attempts),
    attempts,
    firstAttemptAt: keptFirstAttempt,
  };
}

/**
 * An attempt that does not count.
 *
 * @param wasRefused whether the provider cannot have accepted the email
 */
function putOff(
  claim: Claim,
  { wasRefused, ...later }: { reason: EmailReason | null; nextAttemptAt: number; wasRefused: boolean },
): AttemptResult {
  const { id, attempts, firstAttemptAt, claimedAt } = claim;
  const isFirst = wasRefused && firstAttemptAt === claimedAt;
  return { id, state: "waiting", ...later, attempts: attempts - 1, firstAttemptAt: isFirst ? null : firstAttemptAt };
}

function logFields({ id, kind, attempts }: Claim, outcome: string, reason: string) {
  return { emailId: id, kind, attempts, outcome, reason };
}

/** A sign-in link must not arrive after it has expired. */
function hasExpired({ kind, data }: Claim, now: number): boolean {
  return kind === "sign-in" && (data as { expiresAt: number }).expiresAt <= now;
}
