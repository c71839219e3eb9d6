import { EmailError, type Mailer } from "#app/email/mailer.server.ts";
import { enqueueNotification } from "#app/email/notifications.server.ts";
import {
  type AttemptResult,
  type ClaimedEmail,
  type ClaimOptions,
  claimDue,
  markExhaustedDead,
  recordReason,
  recordResults,
  recordSendLimit,
} from "#app/email/outbox.server.ts";
import { type EmailContext, renderEmail } from "#app/email/render-email.server.ts";
import { MAX_ATTEMPTS, retryDelay } from "#app/email/retry-schedule.ts";
import { checkSuppression, isAddressRefused, suppressRefused } from "#app/email/suppression.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { describeError, logError, logInfo, logWarning } from "#app/server/log.ts";

export interface DeliveryDeps {
  db: Db;
  /** Null while no sender is configured: emails wait. */
  mailer: Mailer | null;
  /** The send limit: emails the whole site may send to entries per hour. Others wait. */
  emailsPerHour: number;
  emailContext: EmailContext;
  /** D1 statements and requests that one invocation may make; see `plan-limits.ts`. */
  maxSubrequests: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface SweepReport {
  sent: number;
  failed: number;
  dead: number;
}

/** Small batches mean that people who unsubscribe during a sweep receive nothing. */
const BATCH_SIZE = 10;

/** The platform allows six open connections per invocation. */
const CONCURRENT_SENDS = 5;

/** Subrequests of a sweep besides its batches, and of the rest of the cron job. */
const OTHER_SUBREQUESTS = 24;

/**
 * Sends the email queued for an address, if one is due. Idempotent: a second call finds nothing.
 *
 * @returns `failed` when an attempt was made and failed; otherwise `done`, whether or not the address is listed
 */
export async function sendWelcome(deps: DeliveryDeps, address: string): Promise<"done" | "failed"> {
  const [result] = await deliverBatch(deps, { limit: 1, only: { address } });
  if (result !== undefined) return result.state === "sent" ? "done" : "failed";
  const options = { now: deps.now(), perHour: deps.emailsPerHour, only: { address } };
  // The next sweep notifies the owner, so that no visitor waits for that.
  if (deps.mailer !== null && (await recordSendLimit(deps.db, options)) > 0) {
    logInfo("email-held", { reason: "MAIL_PER_HOUR" });
  }
  return "done";
}

/** Sends one email to the owner now; if that fails, the sweeps retry it. */
export async function sendOwnerEmail(deps: DeliveryDeps, id: string): Promise<void> {
  if (deps.mailer === null) logWarning("email-held", { reason: "MAIL_FROM is not set" });
  await sendEmail(deps, id);
}

/** Sends one queued email now; if that fails, the sweeps retry it. */
export async function sendEmail(deps: DeliveryDeps, id: string): Promise<void> {
  await deliverBatch(deps, { limit: 1, only: { id } });
}

/** Sends due emails, as many as one invocation may; the next sweep sends the rest. */
export async function sweepOutbox(deps: DeliveryDeps): Promise<SweepReport> {
  const report: SweepReport = { sent: 0, failed: 0, dead: 0 };
  report.dead += await markExhaustedDead(deps.db, deps.now());
  if (deps.mailer === null) {
    await recordReason(deps.db, "MAIL_FROM is not set", deps.now());
    logWarning("sweep-held", { reason: "MAIL_FROM is not set" });
    return report;
  }
  // A batch costs one statement each to claim, check and record the emails, a request per email, and one statement more
  // where the provider refused an address.
  for (let left = deps.maxSubrequests - OTHER_SUBREQUESTS; left >= 4; ) {
    const results = await deliverBatch(deps, { limit: Math.min(BATCH_SIZE, left - 3) });
    if (results.length === 0) break;
    for (const { state } of results) report[state === "waiting" ? "failed" : state] += 1;
    left -= results.length + 3 + Number(results.some(isAddressRefused));
  }
  await notifyIfHeld(deps);
  logInfo("swept", { ...report });
  return report;
}

async function notifyIfHeld(deps: DeliveryDeps): Promise<void> {
  const { db, emailsPerHour: perHour, now } = deps;
  const held = await recordSendLimit(db, { now: now(), perHour });
  if (held === 0) return;
  logWarning("sweep-held", { reason: "MAIL_PER_HOUR", perHour, emails: held });
  const notification = { kind: "send-limit", data: { perHour, held }, periodEnd: now() } as const;
  // The limit is reached, so this batch holds emails to the owner only.
  if (await enqueueNotification(db, notification, now())) await deliverBatch(deps, { limit: 1 });
}

async function deliverBatch(
  deps: DeliveryDeps,
  options: Pick<ClaimOptions, "limit" | "only">,
): Promise<AttemptResult[]> {
  const { db, mailer, emailsPerHour: perHour, emailContext, now } = deps;
  if (mailer === null) return [];
  const hasOwner = emailContext.ownerEmail !== null;
  const claims = await claimDue(db, { now: now(), perHour, hasOwner, ...options });
  if (claims.length === 0) return [];
  const suppressed = await checkSuppression(deps, claims);
  const attempted: AttemptResult[] = [];
  const queue = claims.filter(({ id }) => !suppressed.some((result) => result.id === id)).values();
  const send = async () => {
    for (const claim of queue) attempted.push(await attempt(deps, mailer, claim));
  };
  await Promise.all(Array.from({ length: CONCURRENT_SENDS }, send));
  const results = [...suppressed, ...(await suppressRefused(deps, claims, attempted))];
  await recordWithRetry(deps, results);
  return results;
}

async function attempt(deps: DeliveryDeps, mailer: Mailer, claim: ClaimedEmail): Promise<AttemptResult> {
  const { id, kind, attempts } = claim;
  const log = { emailId: id, kind, attempts };
  if (hasExpired(claim, deps.now())) return { id, state: "dead", reason: "the link in it expired" };
  try {
    await mailer.send(await renderEmail(claim, deps.emailContext), id);
  } catch (error) {
    const isLast = attempts >= MAX_ATTEMPTS || (error instanceof EmailError && error.permanent);
    const reason = (error instanceof EmailError ? error.reason : undefined) ?? describeError(error);
    logError("email-failed", error, { ...log, outcome: isLast ? "dead" : "waiting" });
    if (isLast) return { id, state: "dead", reason };
    return { id, state: "waiting", reason, nextAttemptAt: deps.now() + retryDelay(attempts) };
  }
  logInfo("email-sent", log);
  return { id, state: "sent" };
}

/** A sign-in link must not arrive after it has expired. */
function hasExpired({ kind, data }: ClaimedEmail, now: number): boolean {
  return kind === "sign-in" && (data as { expiresAt: number }).expiresAt <= now;
}

/** Retries once: a lost write would send emails twice. D1 does not retry writes itself; this one is idempotent. */
async function recordWithRetry({ db, now }: DeliveryDeps, results: AttemptResult[]): Promise<void> {
  try {
    await recordResults(db, results, now());
  } catch (error) {
    logError("record-results-failed", error, { emails: results.length });
    await recordResults(db, results, now());
  }
}
