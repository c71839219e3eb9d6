import type { AppContext } from "#app/context.ts";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { enqueueNotifications } from "#app/owner/notifications.server.ts";
import { logInfo } from "#app/server/log.ts";
import { enqueueReminders } from "#app/waitlist/confirmation.server.ts";
import { eraseExpired, eraseUnconfirmed } from "#app/waitlist/entries.server.ts";

/** The cron job. Every step runs, even if one before it has failed; then the first failure is thrown. */
export async function runScheduled(app: AppContext): Promise<void> {
  const failures: unknown[] = [];
  for (const step of [
    enqueueNotifications,
    remindUnconfirmed,
    sweepOutbox,
    eraseExpiredEntries,
    eraseUnconfirmedEntries,
  ]) {
    await step(app).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function eraseExpiredEntries({ db, now }: AppContext): Promise<void> {
  const erased = await eraseExpired(db, now());
  if (erased > 0) logInfo("expired-erased", { entries: erased });
}

/** The cron job runs every five minutes. Steps that read much of the list take part in fewer runs. */
const RUN_INTERVAL = 5;

/** Once an hour. */
async function remindUnconfirmed({ db, now }: AppContext): Promise<void> {
  if (new Date(now()).getUTCMinutes() >= RUN_INTERVAL) return;
  const reminders = await enqueueReminders(db, now());
  if (reminders > 0) logInfo("reminders-queued", { reminders });
}

/** Once a day, at 04:00 UTC. */
async function eraseUnconfirmedEntries({ db, now }: AppContext): Promise<void> {
  const time = new Date(now());
  if (time.getUTCHours() !== 4 || time.getUTCMinutes() >= RUN_INTERVAL) return;
  const erased = await eraseUnconfirmed(db, now());
  if (erased > 0) logInfo("unconfirmed-erased", { entries: erased });
}
