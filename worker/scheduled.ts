import { sql } from "drizzle-orm";
import { forgetSentEmails } from "#app/email/forget-sent.server.ts";
import { deleteExpiredEvents } from "#app/email/provider-events.server.ts";
import { sendDueEmails } from "#app/email/sender.server.ts";
import { deleteOldBulkActions } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { changeJobs } from "#app/features/entries/bulk/change-jobs.server.ts";
import { fairJobs } from "#app/features/fair/add-due.server.ts";
import { closeDevices } from "#app/features/fair/close-devices.server.ts";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import { deleteOldImports } from "#app/features/import/imports.server.ts";
import { letterBatches } from "#app/features/letters/send/cron.server.ts";
import { deleteOldActions } from "#app/features/log/log.server.ts";
import { enqueueNotifications } from "#app/features/notifications/notifications.server.ts";
import { decideReferrals, forgetReferred, reachMilestones } from "#app/features/referrals/decide.server.ts";
import { deleteVisitsBefore } from "#app/features/visits/visit-counter.server.ts";
import { isUnwanted } from "#app/features/webhooks/endpoints.server.ts";
import { isFirstRunOfHour, isLastRunOfHour, isMiddleRunOfHour, monthsBefore, utcDay } from "#app/server/calendar.ts";
import type { AppContext, CronRun } from "#app/server/context.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { RUN_TIME } from "#app/server/plan-limits.ts";
import { DEAD_DAYS, forgetJobs, runJobs } from "#app/server/queue.server.ts";
import { milestones } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { enqueueReminders } from "#app/waitlist/confirmation/confirmation.server.ts";
import { eraseExpired } from "#app/waitlist/entries/erase-entries.server.ts";
import { renewPioneers } from "#app/waitlist/entries/pioneers.server.ts";
import { VISITS_RETENTION_MONTHS } from "#app/waitlist/entries/retention.ts";
import { countSubrequests } from "#worker/count-subrequests.ts";

/** A step of the cron job, with what the whole run may use. */
type Step = (app: AppContext, run: CronRun) => Promise<unknown>;

/** A step that one run of an hour takes, or whichever a condition chooses. */
function when(isTime: (startedAt: number) => boolean, step: Step): Step {
  return async (app, run) => {
    if (isTime(run.startedAt)) await step(app, run);
  };
}

/**
 * In this order: if Cloudflare ends a run within a step, those after it wait for the next one. So emails come first, and
 * what needs the most CPU time last. What a step queues is sent by the next run.
 */
export const steps: Record<string, Step> = {
  sendDueEmails: (app, run) => sendDueEmails(app, run, switches.letters ? letterBatches(app, run) : undefined),
  enqueueNotifications,
  remindUnconfirmed: when(isFirstRunOfHour, async ({ db, now }) => {
    const reminders = await enqueueReminders(db, now());
    if (reminders > 0) logInfo("reminders-queued", { reminders });
  }),
  eraseExpiredEntries: when(isFirstRunOfHour, async ({ db, now }, { startedAt }) => {
    const unconfirmed = new Date(startedAt).getUTCHours() === UNCONFIRMED_ERASURE_HOUR;
    const erased = await eraseExpired(db, now(), { unconfirmed });
    if (erased > 0) logInfo("expired-erased", { entries: erased });
  }),
  forgetEvents: when(isFirstRunOfHour, ({ db, now }) => deleteExpiredEvents(db, now())),
  forgetEmails: when(isLastRunOfHour, ({ db, now, plan }) => forgetSentEmails(db, now(), plan.forgottenEmails)),
  forgetActions: when(isLastRunOfHour, ({ db, now }) => deleteOldActions(db, now())),
  forgetVisits: when(isLastRunOfHour, ({ db, now }) =>
    deleteVisitsBefore(db, utcDay(monthsBefore(now(), VISITS_RETENTION_MONTHS))),
  ),
  ...(switches.referrals ? { countReferrals } : {}),
  // Once a day; each hour has another try.
  ...(switches.pioneerCount
    ? { countPioneers: when(isMiddleRunOfHour, ({ db, now }) => renewPioneers(db, now())) }
    : {}),
  ...(switches.fair ? { closeTablets: when(isMiddleRunOfHour, ({ db, now }) => closeDevices(db, now())) } : {}),
  forgetImports: when(isLastRunOfHour, async ({ db, now }) => {
    const deleted = await deleteOldImports(db, now());
    if (deleted > 0) logInfo("imports-deleted", { imports: deleted });
    await deleteOldBulkActions(db, now());
  }),
  forgetJobs: when(isQuarterOfDay, ({ db, now, plan }) => {
    const others = switches.webhooks ? isUnwanted(now() - DEAD_DAYS * 24 * 3_600_000) : sql`false`;
    return forgetJobs(db, { now: now(), limit: plan.jobsForgottenAtOnce, others });
  }),
  doJobs: (app, run) => runJobs(app, [...(switches.fair ? [fairJobs] : []), changeJobs, importJobs], run),
};

/** UTC. Once a day, because this reads much of the list. */
const UNCONFIRMED_ERASURE_HOUR = 4;

/** Four times a day, for what reads a whole table. */
function isQuarterOfDay(startedAt: number): boolean {
  return isMiddleRunOfHour(startedAt) && new Date(startedAt).getUTCHours() % 6 === 0;
}

/** The cron job. Every step runs, even if one before it has failed; then the first failure is thrown. */
export async function runScheduled(app: AppContext): Promise<void> {
  const failures: unknown[] = [];
  const startedAt = app.now();
  const run: CronRun = { startedAt, subrequests: app.plan.subrequests, until: startedAt + RUN_TIME };
  const counted = countSubrequests(app, (number) => {
    run.subrequests -= number;
  });
  for (const step of Object.values(steps)) {
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
