import type { AppContext } from "#app/context.ts";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { deleteExpiredEvents } from "#app/email/provider-events.server.ts";
import { deleteOldActions } from "#app/owner/log.server.ts";
import { enqueueNotifications } from "#app/owner/notifications.server.ts";
import { logInfo } from "#app/server/log.ts";
import { enqueueReminders } from "#app/waitlist/confirmation.server.ts";
import { eraseExpired } from "#app/waitlist/entries.server.ts";

/** Minutes between two runs, as in wrangler.toml. */
const CRON_MINUTES = 5;

/** The cron job. Every step runs, even if one before it has failed; then the first failure is thrown. */
export async function runScheduled(app: AppContext): Promise<void> {
  const failures: unknown[] = [];
  for (const step of [enqueueNotifications, remindUnconfirmed, sweepOutbox, eraseExpiredEntries, forgetEvents]) {
    await step(app).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
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

/** Once an hour, since it reads these tables. */
async function forgetEvents({ db, now }: AppContext): Promise<void> {
  if (!isFirstOfHour(now())) return;
  await deleteExpiredEvents(db, now());
  await deleteOldActions(db, now());
}
