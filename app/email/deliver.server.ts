import type { Db } from "#app/db/client.server.ts";
import { type MailFacts, writeMail } from "#app/email/letters.server.ts";
import { MailError, type Mailer } from "#app/email/mailer.server.ts";
import {
  buryExhausted,
  type ClaimedMail,
  claimDue,
  holdBeyondCeiling,
  markFailed,
  markSent,
  noteReason,
} from "#app/email/outbox.server.ts";
import { oweNotice } from "#app/email/owner-notices.server.ts";
import { describeError, logError, logInfo, logWarning } from "#app/log.ts";

export interface DeliveryDeps {
  db: Db;
  /** Null while no sender is configured: mail then waits. */
  mailer: Mailer | null;
  /** Mails that the whole site may send within an hour; beyond it mail waits. */
  mailPerHour: number;
  /** What mails say about the site and its owner. */
  facts: MailFacts;
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
  const which = { now: deps.now(), perHour: deps.mailPerHour, email };
  const [claimed] = await claimDue(deps.db, { ...which, limit: 1 });
  if (claimed === undefined) {
    // The owner hears of it from the next sweep, for which no visitor waits.
    if ((await holdBeyondCeiling(deps.db, which)) > 0) logInfo("mail-held", { reason: "MAIL_PER_HOUR" });
    return "done";
  }
  return (await deliver(deps, deps.mailer, claimed)) === "sent" ? "done" : "failed";
}

/** Sends whatever is due, until nothing is or a sweep's share is used up; the next sweep goes on from there. */
export async function sweepOutbox(deps: DeliveryDeps): Promise<SweepReport> {
  const report: SweepReport = { sent: 0, failed: 0, dead: 0 };
  report.dead += await buryExhausted(deps.db, deps.now());
  if (deps.mailer === null) {
    await noteReason(deps.db, "MAIL_FROM is not set", deps.now());
    logWarning("sweep-held", { reason: "MAIL_FROM is not set" });
    return report;
  }
  const perHour = deps.mailPerHour;
  for (let tried = 0; tried < MAX_PER_SWEEP; tried += AT_ONCE) {
    const batch = await claimDue(deps.db, { now: deps.now(), limit: AT_ONCE, perHour });
    if (batch.length === 0) break;
    await deliverAll(deps, deps.mailer, batch, report);
  }
  const held = await holdBeyondCeiling(deps.db, { now: deps.now(), perHour });
  if (held > 0) {
    logWarning("sweep-held", { reason: "MAIL_PER_HOUR", perHour, mails: held });
    await oweNotice(deps.db, { kind: "mail-ceiling", facts: { perHour, held }, coversUntil: deps.now() }, deps.now());
  }
  logInfo("swept", { ...report });
  return report;
}

async function deliverAll(deps: DeliveryDeps, mailer: Mailer, batch: ClaimedMail[], report: SweepReport) {
  const outcomes = await Promise.all(batch.map((mail) => deliver(deps, mailer, mail)));
  for (const outcome of outcomes) report[outcome === "waiting" ? "failed" : outcome] += 1;
}

async function deliver(deps: DeliveryDeps, mailer: Mailer, mail: ClaimedMail): Promise<"sent" | "waiting" | "dead"> {
  try {
    await mailer.send(await writeMail(mail.kind, mail.email, mail.entryId, deps.facts), mail.id);
  } catch (error) {
    const permanent = error instanceof MailError && error.permanent;
    const outcome = await markFailed(deps.db, mail, { reason: describeError(error), permanent }, deps.now());
    logError("mail-failed", error, { mailId: mail.id, attempts: mail.attempts, outcome });
    return outcome;
  }
  await stampSent(deps, mail);
  logInfo("mail-sent", { mailId: mail.id, attempts: mail.attempts });
  return "sent";
}

/** A lost stamp means a second mail, and D1 does not repeat writes by itself; this one may be repeated. */
async function stampSent({ db, now }: DeliveryDeps, { id }: ClaimedMail): Promise<void> {
  try {
    await markSent(db, id, now());
  } catch (error) {
    logError("stamp-failed", error, { mailId: id });
    await markSent(db, id, now());
  }
}
