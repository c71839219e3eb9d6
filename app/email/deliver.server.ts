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
  /** Null while no sender is configured: mail then waits. */
  mailer: Mailer | null;
  /** Mails that the whole site may send within an hour; beyond it mail waits. */
  emailsPerHour: number;
  /** What mails say about the site and its owner. */
  facts: EmailContext;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface SweepReport {
  sent: number;
  failed: number;
  dead: number;
}

/**
 * Mails claimed and sent at once: the platform allows six open connections for each request. None is claimed before its
 * turn, so that whoever leaves or is erased while others' mail goes out is sent none.
 */
const AT_ONCE = 5;
/** Each mail costs two of the requests that one invocation of a Worker may make. */
const MAX_PER_SWEEP = 1_000;

/**
 * Sends the mail owed to an address, if any is owed and due. Safe to call twice: the second finds nothing.
 *
 * @returns `failed` when a try was made and failed; `done` otherwise, whether or not the address is listed
 */
export async function sendWelcome(deps: DeliveryDeps, email: string): Promise<"done" | "failed"> {
  if (deps.mailer === null) return "done";
  const which = { now: deps.now(), perHour: deps.emailsPerHour, email };
  const [claimed] = await claimDue(deps.db, { ...which, limit: 1 });
  if (claimed === undefined) {
    // The owner hears of it from the next sweep, for which no visitor waits.
    if ((await recordSendLimit(deps.db, which)) > 0) logInfo("email-held", { reason: "MAIL_PER_HOUR" });
    return "done";
  }
  return (await deliver(deps, deps.mailer, claimed)) === "sent" ? "done" : "failed";
}

/** Sends whatever is due, until nothing is or a sweep's share is used up; the next sweep goes on from there. */
export async function sweepOutbox(deps: DeliveryDeps): Promise<SweepReport> {
  const report: SweepReport = { sent: 0, failed: 0, dead: 0 };
  report.dead += await markExhaustedDead(deps.db, deps.now());
  if (deps.mailer === null) {
    await recordReason(deps.db, "MAIL_FROM is not set", deps.now());
    logWarning("sweep-held", { reason: "MAIL_FROM is not set" });
    return report;
  }
  const perHour = deps.emailsPerHour;
  for (let tried = 0; tried < MAX_PER_SWEEP; tried += AT_ONCE) {
    const batch = await claimDue(deps.db, { now: deps.now(), limit: AT_ONCE, perHour });
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
  const outcomes = await Promise.all(batch.map((mail) => deliver(deps, mailer, mail)));
  for (const outcome of outcomes) report[outcome === "waiting" ? "failed" : outcome] += 1;
}

async function deliver(deps: DeliveryDeps, mailer: Mailer, mail: ClaimedEmail): Promise<"sent" | "waiting" | "dead"> {
  try {
    await mailer.send(await renderEntryEmail(mail.kind, mail.email, mail.entryId, deps.facts), mail.id);
  } catch (error) {
    const permanent = error instanceof EmailError && error.permanent;
    const outcome = await markFailed(deps.db, mail, { reason: describeError(error), permanent }, deps.now());
    logError("email-failed", error, { emailId: mail.id, attempts: mail.attempts, outcome });
    return outcome;
  }
  await stampSent(deps, mail);
  logInfo("email-sent", { emailId: mail.id, attempts: mail.attempts });
  return "sent";
}

/** A lost stamp means a second mail, and D1 does not repeat writes by itself; this one may be repeated. */
async function stampSent({ db, now }: DeliveryDeps, { id }: ClaimedEmail): Promise<void> {
  try {
    await markSent(db, id, now());
  } catch (error) {
    logError("mark-sent-failed", error, { emailId: id });
    await markSent(db, id, now());
  }
}
