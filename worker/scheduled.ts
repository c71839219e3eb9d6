import type { AppContext } from "#app/context.ts";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { deleteExpiredEvents } from "#app/email/provider-events.server.ts";
import { enqueueNotifications } from "#app/owner/notifications.server.ts";
import { logInfo } from "#app/server/log.ts";
import { eraseExpired } from "#app/waitlist/entries.server.ts";

/** Minutes between two runs, as in wrangler.toml. */
const CRON_MINUTES = 5;

/** The cron job. Every step runs, even if one before it has failed; then the first failure is thrown. */
export async function runScheduled(app: AppContext): Promise<void> {
  const failures: unknown[] = [];
  for (const step of [enqueueNotifications, sweepOutbox, eraseExpiredEntries, forgetEvents]) {
    await step(app).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function eraseExpiredEntries({ db, now }: AppContext): Promise<void> {
  const erased = await eraseExpired(db, now());
  if (erased > 0) logInfo("expired-erased", { entries: erased });
}

/** Once an hour, since it reads both tables. */
async function forgetEvents({ db, now }: AppContext): Promise<void> {
  if (new Date(now()).getUTCMinutes() < CRON_MINUTES) await deleteExpiredEvents(db, now());
}
