import type { AppContext, CronRun } from "#app/context.ts";
import { deleteOldImports } from "#app/owner/import/imports.server.ts";
import { continueImports, invocationBudget } from "#app/owner/import/run.server.ts";
import { isLastRunOfHour } from "#app/server/calendar.ts";
import { logInfo } from "#app/server/log.ts";

/** Continues an import that the owner has confirmed, with what the run has left. */
export async function importPeople(app: AppContext, { subrequests }: CronRun): Promise<void> {
  await continueImports(app, invocationBudget(app.workersPlan, subrequests, app.now()));
}

/** Deletes files that were never confirmed, and what is known of old imports. */
export async function forgetImports({ db, now }: AppContext, { startedAt }: CronRun): Promise<void> {
  if (!isLastRunOfHour(startedAt)) return;
  const deleted = await deleteOldImports(db, now());
  if (deleted > 0) logInfo("imports-deleted", { imports: deleted });
}
