import { requeueDead } from "#app/email/outbox.server.ts";
import { readNotifications } from "#app/email/owner-notifications.server.ts";
import { page } from "#app/owner/document.server.tsx";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { readStats } from "#app/owner/stats.server.ts";
import { overviewView, PERIODS } from "#app/owner/views/overview.server.tsx";
import { logInfo } from "#app/server/log.ts";

export async function showOverview(c: OwnerContext) {
  const { db, now, ownerTimeZone: timeZone } = c.env.app;
  const days = PERIODS.find((period) => String(period) === c.req.query("days")) ?? PERIODS[0];
  const [figures, notices] = await Promise.all([readStats(db, { now: now(), days, timeZone }), readNotifications(db)]);
  const revived = c.req.query("revived");
  const done = revived !== undefined && /^\d{1,9}$/.test(revived) ? Number(revived) : null;
  return c.html(page(overviewView({ figures, notices, days, timeZone, revived: done })));
}

/** Gives dead mail another round; the next sweeps send it. */
export async function retryDeadEmails(c: OwnerContext) {
  const mails = await requeueDead(c.env.app.db, c.env.app.now());
  logInfo("dead-emails-requeued", { mails });
  return c.redirect(`/owner?revived=${mails}`, 303);
}
