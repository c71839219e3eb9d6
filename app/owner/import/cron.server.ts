import type { AppContext, CronRun } from "#app/context.ts";
import { deleteOldImports, findRunning } from "#app/owner/import/imports.server.ts";
import { isLastRunOfHour } from "#app/server/calendar.ts";
import { logInfo } from "#app/server/log.ts";

/** The share of an invocation's statements that an import may use; emails get the rest. */
const IMPORT_SHARE = 0.25;

/** Statements that record the failure of an import, beyond its share. */
const FAILURE_STATEMENTS = 2;

/** How long an import may hold up the rest of the cron job (milliseconds). */
const IMPORT_TIME = 20_000;

/** Continues an import that the owner has confirmed. */
export async function importPeople(app: AppContext, run: CronRun): Promise<void> {
  const { db, now, maxSubrequests } = app;
  const share = Math.floor(IMPORT_SHARE * maxSubrequests);
  try {
    if ((await findRunning(db)) === null) return;
    // On demand, because imports are rare.
    const { continueImports } = await import("#app/owner/import/run.server.ts");
    const budget = { maxStatements: share - 1, until: now() + IMPORT_TIME };
    run.subrequests -= 1 + (await continueImports(app, budget));
  } catch (error) {
    run.subrequests -= share + FAILURE_STATEMENTS;
    throw error;
  }
}

/** Deletes files that were never confirmed, and what is known of old imports. */
export async function forgetImports({ db, now }: AppContext): Promise<void> {
  if (!isLastRunOfHour(now())) return;
  const deleted = await deleteOldImports(db, now());
  if (deleted > 0) logInfo("imports-deleted", { imports: deleted });
}
