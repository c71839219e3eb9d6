import type { AppContext } from "#app/context.ts";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { deliverNotifications } from "#app/email/owner-notifications.server.ts";
import { enqueueNotifications } from "#app/owner/notifications.server.ts";
import { logInfo } from "#app/server/log.ts";
import { eraseExpired } from "#app/waitlist/entries.server.ts";

/** The cron job. Emails go first, because their recipients are waiting. */
export async function runScheduled(app: AppContext): Promise<void> {
  await sweepOutbox(app);
  const erased = await eraseExpired(app.db, app.now());
  if (erased > 0) logInfo("expired-erased", { entries: erased });
  await enqueueNotifications(app);
  await deliverNotifications(app);
}
