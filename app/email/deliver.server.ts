import { type EmailContext, renderEntryEmail } from "#app/email/entry-emails.server.ts";
import { EmailError, type Mailer } from "#app/email/mailer.server.ts";
import {
  type ClaimedEmail,
  claimDue,
  markExhaustedDead,
  markFailed,
  markSent,
  recordReason,
  recordSendLimit,
} from "#app/email/outbox.server.ts";
import { enqueueNotification } from "#app/email/owner-notifications.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { describeError, logError, logInfo, logWarning } from "#app/server/log.ts";

export interface DeliveryDeps {
  db: Db;
  /** Null while no sender is configured: emails wait. */
  mailer: Mailer | null;
  /** The send limit: emails the whole site may send per hour. Others wait. */
  emailsPerHour: number;
  emailContext: EmailContext;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface SweepReport {
  sent: number;
  failed: number;
  dead: number;
}

/**
 * Emails claimed and sent concurrently: the platform allows six open connections per request. Small batches mean that
 * people who unsubscribe during a sweep receive nothing.
 */
const BATCH_SIZE = 5;
/** Each email costs two of the subrequests allowed per Worker invocation. */
const MAX_PER_SWEEP = 1_000;

/**
 * Sends the email queued for an address, if one is due. Idempotent: a second call finds nothing.
 *
 * @returns `failed` when an attempt was made and failed; otherwise `done`, whether or not the address is listed
 */
export async function sendWelcome(deps: DeliveryDeps, email: string): Promise<"done" | "failed"> {
  if (deps.mailer === null) return "done";
  const options = { now: deps.now(), perHour: deps.emailsPerHour, email };
  const [claimed] = await claimDue(deps.db, { ...options, limit: 1 });
  if (claimed === undefined) {
    // The next sweep notifies the owner, so that no visitor waits for that.
    if ((await recordSendLimit(deps.db, options)) > 0) logInfo("email-held", { reason: "MAIL_PER_HOUR" });
    return "done";
  }
  return (await deliver(deps, deps.mailer, claimed)) === "sent" ? "done" : "failed";
}

/** Sends due emails, at most {@link MAX_PER_SWEEP}; the next sweep sends the rest. */
export async function sweepOutbox(deps: DeliveryDeps): Promise<SweepReport> {
  const report: SweepReport = { sent: 0, failed: 0, dead: 0 };
  report.dead += await markExhaustedDead(deps.db, deps.now());
  if (deps.mailer === null) {
    await recordReason(deps.db, "MAIL_FROM is not set", deps.now());
    logWarning("sweep-held", { reason: "MAIL_FROM is not set" });
    return report;
  }
  const perHour = deps.emailsPerHour;
  for (let claimed = 0; claimed < MAX_PER_SWEEP; claimed += BATCH_SIZE) {
    const batch = await claimDue(deps.db, { now: deps.now(), limit: BATCH_SIZE, perHour });
    if (batch.length === 0) break;
    await deliverAll(deps, deps.mailer, batch, report);
  }
  const held = await recordSendLimit(deps.db, { now: deps.now(), perHour });
  if (held > 0) {
    logWarning("sweep-held", { reason: "MAIL_PER_HOUR", perHour, mails: held });
    await enqueueNotification(
      deps.db,
      { kind: "mail-ceiling", facts: { perHour, held }, coversUntil: deps.now() },
      deps.now(),
    );
  }
  logInfo("swept", { ...report });
  return report;
}

async function deliverAll(deps: DeliveryDeps, mailer: Mailer, batch: ClaimedEmail[], report: SweepReport) {
  const outcomes = await Promise.all(batch.map((email) => deliver(deps, mailer, email)));
  for (const outcome of outcomes) report[outcome === "waiting" ? "failed" : outcome] += 1;
}

async function deliver(deps: DeliveryDeps, mailer: Mailer, claim: ClaimedEmail): Promise<"sent" | "waiting" | "dead"> {
  try {
    const message = await renderEntryEmail(claim.kind, claim.email, claim.entryId, deps.emailContext);
    await mailer.send(message, claim.id);
  } catch (error) {
    const permanent = error instanceof EmailError && error.permanent;
    const outcome = await markFailed(deps.db, claim, { reason: describeError(error), permanent }, deps.now());
    logError("email-failed", error, { emailId: claim.id, attempts: claim.attempts, outcome });
    return outcome;
  }
  await markSentWithRetry(deps, claim);
  logInfo("email-sent", { emailId: claim.id, attempts: claim.attempts });
  return "sent";
}

/** Retries once: a lost write would send the email twice. D1 does not retry writes itself; this one is idempotent. */
async function markSentWithRetry({ db, now }: DeliveryDeps, { id }: ClaimedEmail): Promise<void> {
  try {
    await markSent(db, id, now());
  } catch (error) {
    logError("mark-sent-failed", error, { emailId: id });
    await markSent(db, id, now());
  }
}
