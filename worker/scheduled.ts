import type { AppContext } from "#app/context.ts";
import { sweepOutbox } from "#app/email/deliver.server.ts";
import { deliverNotices } from "#app/email/owner-notices.server.ts";
import { logInfo } from "#app/log.ts";
import { oweNews } from "#app/owner/news.server.ts";
import { eraseExpired } from "#app/waitlist/entries.server.ts";

/** What the cron trigger does: mail first, since somebody waits for it. */
export async function runScheduled(app: AppContext): Promise<void> {
  await sweepOutbox(app);
  const erased = await eraseExpired(app.db, app.now());
  if (erased > 0) logInfo("expired-erased", { entries: erased });
  await oweNews(app);
  await deliverNotices(app);
}
