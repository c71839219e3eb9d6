import { sql } from "drizzle-orm";
import { forgetSentEmails } from "#app/email/forget-sent.server.ts";
import { deleteExpiredEvents } from "#app/email/provider-events.server.ts";
import { sendDueEmails } from "#app/email/sender.server.ts";
import { deleteOldActions } from "#app/owner/log.server.ts";
import { RUN_TIME } from "#app/server/config/plan-limits.ts";
import type { AppContext } from "#app/server/context.ts";
import { type CronRun, type CronStep, when } from "#app/server/cron.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { DEAD_DAYS, forgetJobs, runJobs } from "#app/server/queue.server.ts";
import { isFirstRunOfHour, isLastRunOfHour, isMiddleRunOfHour, isQuarterOfDay } from "#app/server/time/calendar.ts";
import { DAY } from "#app/server/time/units.ts";
import { pioneerCount } from "#app/switches.ts";
import { enqueueReminders } from "#app/waitlist/confirmation/confirmation.server.ts";
import { forgetChanges } from "#app/waitlist/entries/entry-changes.server.ts";
import { eraseExpired } from "#app/waitlist/entries/erase-entries.server.ts";
import { renewPioneers } from "#app/waitlist/entries/pioneers.server.ts";
import { countSubrequests } from "#worker/count-subrequests.ts";
import { parts } from "#worker/features.ts";

/**
 * In this order: if Cloudflare ends a run within a step, those after it wait for the next one. So emails come first, then what
 * queues others for the next run, what the site cannot do without, what features do, and last what needs the most CPU time.
 */
export const steps: Record<string, CronStep> = {
  sendDueEmails: (app, run) => sendDueEmails(app, run, parts.find(({ batches }) => batches)?.batches?.(app, run)),
  ...Object.assign({}, ...parts.map(({ firstSteps }) => firstSteps)),
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
  forgetChanges: when(isQuarterOfDay, ({ db, now, plan }) => forgetChanges(db, now(), plan.jobsForgottenAtOnce)),
  // Once a day; each hour has another try.
  ...(pioneerCount ? { countPioneers: when(isMiddleRunOfHour, ({ db, now }) => renewPioneers(db, now())) } : {}),
  ...Object.assign({}, ...parts.map(({ steps }) => steps)),
  forgetJobs: when(isQuarterOfDay, ({ db, now, plan }) => {
    const before = now() - DEAD_DAYS * DAY;
    const unwanted = parts.flatMap(({ unwantedJobs }) => unwantedJobs?.(before) ?? []);
    const others = unwanted.length === 0 ? sql`false` : sql.join(unwanted, sql` OR `);
    return forgetJobs(db, { now: now(), limit: plan.jobsForgottenAtOnce, others });
  }),
  doJobs: (app, run) => runJobs(app, jobHandlers, run),
};

const jobHandlers = parts.flatMap(({ jobs = [] }) => jobs);

/** UTC. Once a day, because this reads much of the list. */
const UNCONFIRMED_ERASURE_HOUR = 4;

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
