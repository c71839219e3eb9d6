import type { AppContext, CronRun } from "#app/context.ts";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { forgetSentEmails } from "#app/email/forget-sent.server.ts";
import { sendDueLetters } from "#app/email/letters/cron.server.ts";
import { deleteExpiredEvents } from "#app/email/provider-events.server.ts";
import { deleteOldBulkActions } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { changeJobs } from "#app/owner/entries/bulk/change-jobs.server.ts";
import { importJobs } from "#app/owner/import/import-jobs.server.ts";
import { deleteOldImports } from "#app/owner/import/imports.server.ts";
import { deleteOldActions } from "#app/owner/log/log.server.ts";
import { enqueueNotifications } from "#app/owner/notifications/notifications.server.ts";
import { isUnwanted } from "#app/owner/webhooks/deliveries.server.ts";
import { isFirstRunOfHour, isLastRunOfHour, isMiddleRunOfHour, monthsBefore, utcDay } from "#app/server/calendar.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { RUN_TIME } from "#app/server/plan-limits.ts";
import { DEAD_DAYS, forgetJobs as deleteEndedJobs, runJobs } from "#app/server/queue.server.ts";
import { milestones } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { enqueueReminders } from "#app/waitlist/confirmation.server.ts";
import { eraseExpired } from "#app/waitlist/erase-entries.server.ts";
import { fairJobs } from "#app/waitlist/fair/add-due.server.ts";
import { closeDevices } from "#app/waitlist/fair/close-devices.server.ts";
import { renewPioneers } from "#app/waitlist/pioneers.server.ts";
import { decideReferrals, forgetReferred, reachMilestones } from "#app/waitlist/referrals/decide.server.ts";
import { VISITS_RETENTION_MONTHS } from "#app/waitlist/retention.ts";
import { deleteVisitsBefore } from "#app/waitlist/visit-counter.server.ts";
import { countSubrequests } from "#worker/count-subrequests.ts";

/** A step of the cron job, with what the whole run may use. */
type Step = (app: AppContext, run: CronRun) => Promise<unknown>;

/**
 * In this order: if Cloudflare ends a run within a step, those after it wait for the next one. So emails come first, and
 * what needs the most CPU time last. What a step queues is sent by the next run.
 */
export const steps = {
  sweepOutbox: (app: AppContext, { subrequests }: CronRun) => sweepOutbox(app, { subrequests }),
  ...(switches.letters ? { sendDueLetters } : {}),
  enqueueNotifications,
  remindUnconfirmed,
  eraseExpiredEntries,
  forgetEvents,
  forgetEmails,
  forgetActions,
  forgetVisits,
  ...(switches.referrals ? { countReferrals } : {}),
  ...(switches.pioneerCount ? { countPioneers } : {}),
  ...(switches.fair ? { closeTablets } : {}),
  forgetImports,
  forgetJobs,
  doJobs,
} satisfies Record<string, Step>;

/** The cron job. Every step runs, even if one before it has failed; then the first failure is thrown. */
export async function runScheduled(app: AppContext): Promise<void> {
  const failures: unknown[] = [];
  const startedAt = app.now();
  const run: CronRun = { startedAt, subrequests: app.plan.subrequests, until: startedAt + RUN_TIME };
  const counted = countSubrequests(app, (number) => {
    run.subrequests -= number;
  });
  for (const step of Object.values<Step>(steps)) {
    await step(counted, run).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Logs why a run failed and rejects, which makes Cloudflare's dashboard show the run as failed. */
export async function reportFailedRun(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    logError("scheduled-failed", error);
    // Not the error itself: the platform records its message, which may hold an address.
    throw new Error("scheduled-failed: the log has the reason");
  }
}

async function remindUnconfirmed({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (!isFirstRunOfHour(startedAt)) return;
  const reminders = await enqueueReminders(db, now());
  if (reminders > 0) logInfo("reminders-queued", { reminders });
}

async function eraseExpiredEntries({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (!isFirstRunOfHour(startedAt)) return;
  const unconfirmed = new Date(startedAt).getUTCHours() === UNCONFIRMED_ERASURE_HOUR;
  const erased = await eraseExpired(db, now(), { unconfirmed });
  if (erased > 0) logInfo("expired-erased", { entries: erased });
}

/** UTC. Once a day, because this reads much of the list. */
const UNCONFIRMED_ERASURE_HOUR = 4;

/** Once an hour, since it reads the table. */
async function forgetEvents({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (!isFirstRunOfHour(startedAt)) return;
  await deleteExpiredEvents(db, now());
}

async function forgetEmails({ db, now, plan }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (isLastRunOfHour(startedAt)) await forgetSentEmails(db, now(), plan.forgottenEmails);
}

async function forgetActions({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (isLastRunOfHour(startedAt)) await deleteOldActions(db, now());
}

async function forgetVisits({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (isLastRunOfHour(startedAt)) await deleteVisitsBefore(db, utcDay(monthsBefore(now(), VISITS_RETENTION_MONTHS)));
}

/** Does one thing at a time: some runs of an hour have more else to do, and few statements left. */
async function countReferrals(
  { db, now, mustConfirm }: AppContext,
  { startedAt, subrequests }: CronRun,
): Promise<void> {
  if (isLastRunOfHour(startedAt)) return forgetReferred(db, now());
  if (isMiddleRunOfHour(startedAt)) return reachMilestones(db, now(), mustConfirm ? milestones : []);
  const decided = await decideReferrals(db, now(), { mustConfirm, milestones, mayWrite: subrequests });
  if (decided > 0) logInfo("referrals-decided", { referrals: decided });
}

/** Once a day; each hour has another try. */
async function countPioneers({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (isMiddleRunOfHour(startedAt)) await renewPioneers(db, now());
}

/** Once an hour closes tablets that have nothing left. */
async function closeTablets({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (isMiddleRunOfHour(startedAt)) await closeDevices(db, now());
}

/** Deletes files that were never confirmed, and what is known of old imports and old changes of many entries. */
async function forgetImports({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (!isLastRunOfHour(startedAt)) return;
  const deleted = await deleteOldImports(db, now());
  if (deleted > 0) logInfo("imports-deleted", { imports: deleted });
  await deleteOldBulkActions(db, now());
}

/** Four times a day, since it reads the whole table. */
async function forgetJobs({ db, now, plan }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (!isMiddleRunOfHour(startedAt) || new Date(startedAt).getUTCHours() % 6 !== 0) return;
  const others = isUnwanted(now() - DEAD_DAYS * 24 * 3_600_000);
  await deleteEndedJobs(db, { now: now(), limit: plan.jobsForgottenAtOnce, others });
}

/** Adds what tablets have sent, and goes on with changes and imports that an owner has confirmed. */
function doJobs(app: AppContext, run: CronRun): Promise<unknown> {
  return runJobs(app, [...(switches.fair ? [fairJobs] : []), changeJobs, importJobs], run);
}
