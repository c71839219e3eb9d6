import type { AppContext, CronRun } from "#app/context.ts";
import { continueErasure, erasureBudget } from "#app/owner/entries/erase-many/erase-chunks.server.ts";
import { deleteOldErasures } from "#app/owner/entries/erase-many/erasures.server.ts";
import { isLastRunOfHour } from "#app/server/calendar.ts";

/** Continues an erasure that an owner has confirmed, and deletes what is known of old ones. */
export async function eraseMany(app: AppContext, { startedAt, subrequests }: CronRun): Promise<void> {
  await continueErasure(app, erasureBudget(app.workersPlan, subrequests, app.now()));
  if (isLastRunOfHour(startedAt)) await deleteOldErasures(app.db, app.now());
}
