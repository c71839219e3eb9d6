import { attemptSend, release } from "#app/email/attempt.server.ts";
import { holdIfTooMany } from "#app/email/bounce-hold.server.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import { queueNotifications } from "#app/email/notifications.server.ts";
import { type ClaimOptions, claimDue, isAnyDue, markExhaustedDead, recordReason } from "#app/email/outbox.server.ts";
import { type EmailPause, retryNow } from "#app/email/pauses.server.ts";
import { type Only, unverifiedPerHour } from "#app/email/quotas.server.ts";
import { type AttemptResult, recordResults, recordWithRetry } from "#app/email/record-results.server.ts";
import { recordWaiting } from "#app/email/record-waiting.server.ts";
import type { EmailContext } from "#app/email/render-email.server.ts";
import { checkSuppression, countRefusals, suppressRefused } from "#app/email/suppression.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { logInfo, logWarning } from "#app/server/log.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import type { PlanLimits } from "#app/server/plan-limits.ts";
import type { Turnstile } from "#app/waitlist/abuse/turnstile.server.ts";

export interface DeliveryDeps {
  db: Db;
  /** Null while no sender is configured: emails wait. */
  mailer: Mailer | null;
  /** The send limit: emails the whole site may send to entries per hour. Others wait. */
  emailsPerHour: number;
  emailContext: EmailContext;
  /** Null where Turnstile is not configured. */
  turnstile: Turnstile | null;
  plan: Pick<PlanLimits, "subrequests">;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Waits for the provider's next rate-limit window (milliseconds). Default: a timer. */
  wait?: (milliseconds: number) => Promise<void>;
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
export const OTHER_SUBREQUESTS = 25;

/**
 * Statements that claim, check and record a batch, besides a request per email. Further ones for a pause and for refused
 * addresses in the last batch fit into the reserve.
 */
const BATCH_STATEMENTS = 3;

/** A sweep waits this long for the provider's next rate-limit window; otherwise the next sweep continues (milliseconds). */
const MAX_DELAY = 5_000;

/**
 * Sends one queued email now, if it is due; if that fails, the sweeps retry it. Idempotent: a second call finds nothing.
 *
 * @param despitePause whether it is tried even while all email is paused. Its success ends the pause.
 * @returns `failed` when an attempt was made and failed; otherwise `done`, whether or not the address is listed
 */
export async function sendEmail(
  deps: DeliveryDeps,
  only: NonNullable<Only>,
  { despitePause = false } = {},
): Promise<"done" | "failed"> {
  // Anyone can ask for the email of any address.
  if (!(await isAnyDue(deps.db, deps.now(), only))) return "done";
  const { results, wasPaused } = await deliverBatch(deps, { limit: 1, only, despitePause });
  if (wasPaused && results[0]?.state === "sent") await retryNow(deps.db, deps.now());
  if (hasBounce(results)) await holdIfTooMany(deps.db, deps.now());
  if (results[0] !== undefined) return results[0].state === "sent" ? "done" : "failed";
  const options = { now: deps.now(), perHour: deps.emailsPerHour, only };
  // The next sweep notifies the owner, so that no visitor waits for that.
  if (deps.mailer !== null && (await recordWaiting(deps.db, options)).limit > 0) {
    logInfo("email-waits", { reason: "MAIL_PER_HOUR" });
  }
  return "done";
}

/**
 * Sends due emails, as many as one invocation may; the next sweep sends the rest.
 *
 * @param budget D1 statements and requests that are left to the invocation; reduced by those that were made
 */
export async function sweepOutbox(
  deps: DeliveryDeps,
  budget = { subrequests: deps.plan.subrequests },
): Promise<SweepReport> {
  const report: SweepReport = { sent: 0, failed: 0, dead: 0 };
  report.dead += await markExhaustedDead(deps.db, deps.now());
  if (deps.mailer === null) {
    await recordReason(deps.db, "no-sender", deps.now());
    logWarning("sweep-waits", { reason: "MAIL_FROM is not set" });
    return report;
  }
  let size = BATCH_SIZE;
  let isFirst = true;
  let bounced = false;
  const left = () => budget.subrequests - OTHER_SUBREQUESTS;
  while (left() > BATCH_STATEMENTS) {
    const { results, submitted, released, statements, nextRequestAt } = await deliverBatch(deps, {
      limit: Math.min(size, left() - BATCH_STATEMENTS),
      beyondBrake: isFirst,
    });
    isFirst = false;
    if (results.length === 0) break;
    for (const { state } of results) report[state === "waiting" ? "failed" : state] += 1;
    report.failed -= released;
    bounced ||= hasBounce(results);
    budget.subrequests -= submitted + statements;
    const delay = nextRequestAt - deps.now();
    if (delay > MAX_DELAY) break;
    if (delay <= 0) continue;
    // What fitted into this window fits into the next.
    size = Math.max(1, results.filter(({ state }) => state === "sent").length);
    await (deps.wait ?? wait)(delay);
  }
  if (bounced) await holdIfTooMany(deps.db, deps.now());
  await notifyIfWaiting(deps);
  logInfo("swept", { ...report });
  return report;
}

/** Whether the provider refused an address at once. Later bounces arrive as events. */
function hasBounce(results: AttemptResult[]): boolean {
  return results.some((result) => result.state === "dead" && result.reason === "address-refused");
}

/** How many emails a sweep can send, if neither the send limit nor the provider slows it down. */
export function emailsPerSweep(subrequests: number): number {
  const left = subrequests - OTHER_SUBREQUESTS;
  const batch = BATCH_SIZE + BATCH_STATEMENTS;
  return Math.floor(left / batch) * BATCH_SIZE + Math.max(0, (left % batch) - BATCH_STATEMENTS);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function notifyIfWaiting(deps: DeliveryDeps): Promise<void> {
  const { db, emailsPerHour: perHour, now } = deps;
  const { limit, brake } = await recordWaiting(db, { now: now(), perHour });
  const waiting = limit + brake;
  if (waiting === 0) return;
  logWarning("sweep-waits", { reason: limit > 0 ? "MAIL_PER_HOUR" : "unverified-limit", perHour, emails: waiting });
  const isBrake = limit === 0;
  // Where Turnstile is configured, few sign-ups are unverified, and an outage ends by itself.
  if (isBrake && deps.turnstile !== null) return;
  const owners = await identifyOwners(deps.emailContext.ownerEmails);
  const data = { perHour, waiting, ...(isBrake ? { unverifiedPerHour: unverifiedPerHour(perHour) } : {}) };
  const notifications = owners.map(({ id }) => ({ ownerId: id, data, periodEnd: now() }));
  const queued = await queueNotifications(db, "send-limit", notifications, now());
  // The limit is reached, so this batch holds emails to owners only. The next sweep sends those to further owners.
  if (queued > 0) await deliverBatch(deps, { limit: 1 });
}

interface BatchReport {
  /** One for each claimed email. */
  results: AttemptResult[];
  /** How many emails were submitted to the provider. */
  submitted: number;
  /** How many emails are due again, because a pause began before their turn. */
  released: number;
  /** How many D1 statements it executed. */
  statements: number;
  /** When the provider takes requests again, or all email is no longer paused (milliseconds since 1970). */
  nextRequestAt: number;
  /** Whether all email was paused until then. */
  wasPaused: boolean;
}

async function deliverBatch(
  deps: DeliveryDeps,
  options: Pick<ClaimOptions, "limit" | "only" | "beyondBrake" | "despitePause">,
): Promise<BatchReport> {
  const { db, mailer, emailsPerHour: perHour, emailContext, now } = deps;
  const report: BatchReport = {
    results: [],
    submitted: 0,
    released: 0,
    statements: BATCH_STATEMENTS,
    nextRequestAt: 0,
    wasPaused: false,
  };
  if (mailer === null) return report;
  // An entry's own email needs no owner's.
  const ownerEmails = options.only !== undefined && "email" in options.only ? [] : emailContext.ownerEmails;
  const owners = (await identifyOwners(ownerEmails)).map(({ id }) => id);
  const claims = await claimDue(db, { now: now(), perHour, owners, ...options });
  if (claims.length === 0) return report;
  let pause: EmailPause | null = null;
  const suppressed = await checkSuppression(deps, claims);
  const attempted: AttemptResult[] = [];
  const queue = claims.filter(({ id }) => !suppressed.some((result) => result.id === id)).values();
  const send = async () => {
    for (const claim of queue) {
      if (report.nextRequestAt > now()) {
        report.released += 1;
        attempted.push(release(claim));
        continue;
      }
      report.submitted += 1;
      const attempt = await attemptSend({ mailer, emailContext, now }, claim);
      attempted.push(attempt.result);
      report.nextRequestAt = Math.max(report.nextRequestAt, attempt.nextRequestAt);
      if (attempt.pause !== null && attempt.pause.until > (pause?.until ?? 0)) pause = attempt.pause;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_SENDS }, send));
  if (pause !== null) logWarning("email-paused", { ...(pause as EmailPause) });
  report.results = [...suppressed, ...(await suppressRefused(deps, claims, attempted))];
  report.wasPaused = claims.some(({ wasPaused }) => wasPaused);
  const end = report.wasPaused && attempted.some(({ state }) => state === "sent");
  report.statements += Number(pause !== null) + Number(end) + countRefusals(attempted);
  const record = () => recordResults(db, report.results, now(), { begin: pause, end });
  await recordWithRetry(record, "record-results-failed", { emails: report.results.length });
  return report;
}
