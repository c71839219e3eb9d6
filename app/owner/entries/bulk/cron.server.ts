import type { AppContext, CronRun } from "#app/context.ts";
import { deleteOldBulkActions } from "#app/owner/entries/bulk/bulk-actions.server.ts";
import { bulkBudget, continueBulkAction } from "#app/owner/entries/bulk/run-chunks.server.ts";
import { isLastRunOfHour } from "#app/server/calendar.ts";

/** Continues a change of many entries that an owner has confirmed, and deletes what is known of old ones. */
export async function changeMany(app: AppContext, { startedAt, subrequests }: CronRun): Promise<void> {
  await continueBulkAction(app, bulkBudget(app.workersPlan, subrequests, app.now()));
  if (isLastRunOfHour(startedAt)) await deleteOldBulkActions(app.db, app.now());
}
