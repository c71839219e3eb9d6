import type { AppContext } from "#app/context.ts";
import { OTHER_SUBREQUESTS, sweepOutbox } from "#app/email/deliver.server.ts";
import { hasDueLetters } from "#app/email/letters/due-letters.server.ts";
import { RUN_TIME } from "#app/email/letters/sending-limits.ts";
import { deleteExpiredEvents } from "#app/email/provider-events.server.ts";
import { deleteOldImports, findRunning } from "#app/owner/import/imports.server.ts";
import { deleteOldActions } from "#app/owner/log/log.server.ts";
import { enqueueNotifications } from "#app/owner/notifications/notifications.server.ts";
import { monthsBefore, utcDay } from "#app/server/calendar.ts";
import { logError, logInfo } from "#app/server/log.ts";
import { maxSubrequests } from "#app/server/plan-limits.ts";
import * as switches from "#app/switches.ts";
import { enqueueReminders } from "#app/waitlist/confirmation.server.ts";
import { eraseExpired } from "#app/waitlist/entries.server.ts";
import { VISITS_RETENTION_MONTHS } from "#app/waitlist/retention.ts";
import { deleteVisitsBefore } from "#app/waitlist/visit-counter.server.ts";

/** Minutes between two runs, as in wrangler.toml. */
const CRON_MINUTES = 1;

/** The cron job. Every step runs, even if one before it has failed; then the first failure is thrown. */
export async function runScheduled(app: AppContext): Promise<void> {
  const failures: unknown[] = [];
  const until = app.now() + RUN_TIME;
  const importBudget = Math.floor(IMPORT_SHARE * app.maxSubrequests);
  const imported = await importPeople(app, importBudget).catch((error: unknown) => {
    failures.push(error);
    return importBudget + FAILURE_STATEMENTS;
  });
  const budget = { subrequests: app.maxSubrequests - imported };
  const sweep = () => sweepOutbox(app, budget);
  // Last, since it takes most of the run.
  const send = () => sendLetters(app, budget.subrequests, until);
  const steps = [
    enqueueNotifications,
    remindUnconfirmed,
    sweep,
    eraseExpiredEntries,
    forgetEvents,
    forgetRecords,
    ...(switches.letters ? [send] : []),
  ];
  for (const step of steps) {
    await step(app).catch((error: unknown) => failures.push(error));
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

async function sendLetters(app: AppContext, left: number, until: number): Promise<void> {
  if (!(await hasDueLetters(app.db, app.now()))) return;
  const { sendLetters: send } = await import("#app/email/letters/send-letters.server.ts");
  // Deployed sites send letters on the paid plan only, and local ones have no limits.
  const free = app.workersPlan === "free" ? maxSubrequests.paid - maxSubrequests.free : 0;
  await send(app, { subrequests: left + free - OTHER_SUBREQUESTS, until });
}

/** The share of an invocation's statements that an import may use; emails get the rest. */
const IMPORT_SHARE = 0.25;

/** Statements that record the failure of an import, beyond its share. */
const FAILURE_STATEMENTS = 2;

/** How long an import may hold up the rest of the cron job (milliseconds). */
const IMPORT_TIME = 20_000;

/** Continues an import that the owner has confirmed. @returns how many statements it executed */
async function importPeople(app: AppContext, maxStatements: number): Promise<number> {
  const { db, now } = app;
  if ((await findRunning(db)) === null) return 0;
  // On demand, because imports are rare.
  const { continueImports } = await import("#app/owner/import/run.server.ts");
  const budget = { maxStatements: maxStatements - 1, until: now() + IMPORT_TIME };
  return 1 + (await continueImports(app, budget));
}

async function remindUnconfirmed({ db, now }: AppContext): Promise<void> {
  if (!isFirstOfHour(now())) return;
  const reminders = await enqueueReminders(db, now());
  if (reminders > 0) logInfo("reminders-queued", { reminders });
}

async function eraseExpiredEntries({ db, now }: AppContext): Promise<void> {
  const unconfirmed = isFirstOfHour(now()) && new Date(now()).getUTCHours() === UNCONFIRMED_ERASURE_HOUR;
  const erased = await eraseExpired(db, now(), { unconfirmed });
  if (erased > 0) logInfo("expired-erased", { entries: erased });
}

/** UTC. Once a day, because this reads much of the list. */
const UNCONFIRMED_ERASURE_HOUR = 4;

function isFirstOfHour(now: number): boolean {
  return new Date(now).getUTCMinutes() < CRON_MINUTES;
}

/** Once an hour, since it reads the table. */
async function forgetEvents({ db, now }: AppContext): Promise<void> {
  if (!isFirstOfHour(now())) return;
  await deleteExpiredEvents(db, now());
}

/** Old actions of owners, old visits, and files that were never confirmed. Not in the first run of an hour, which has the most to do. */
async function forgetRecords({ db, now }: AppContext): Promise<void> {
  if (new Date(now()).getUTCMinutes() < 60 - CRON_MINUTES) return;
  await deleteOldActions(db, now());
  await deleteVisitsBefore(db, utcDay(monthsBefore(now(), VISITS_RETENTION_MONTHS)));
  const deleted = await deleteOldImports(db, now());
  if (deleted > 0) logInfo("imports-deleted", { imports: deleted });
}
