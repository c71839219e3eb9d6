import { requeueDead } from "#app/email/outbox.server.ts";
import { readNotifications } from "#app/email/owner-notifications.server.ts";
import { renderDocument } from "#app/owner/document.server.tsx";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { readStats } from "#app/owner/stats.server.ts";
import { overviewView, PERIODS } from "#app/owner/views/overview.server.tsx";
import { logInfo } from "#app/server/log.ts";

export async function showOverview(c: OwnerContext) {
  const { db, now, ownerTimeZone: timeZone } = c.env.app;
  const days = PERIODS.find((period) => String(period) === c.req.query("days")) ?? PERIODS[0];
  const [stats, notifications] = await Promise.all([
    readStats(db, { now: now(), days, timeZone }),
    readNotifications(db),
  ]);
  const value = c.req.query("requeued");
  const requeued = value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null;
  return c.html(renderDocument(overviewView({ stats, notifications, days, timeZone, requeued })));
}

/** Requeues dead emails; the next sweeps send them. */
export async function retryDeadEmails(c: OwnerContext) {
  const emails = await requeueDead(c.env.app.db, c.env.app.now());
  logInfo("dead-emails-requeued", { emails });
  return c.redirect(`/owner?requeued=${emails}`, 303);
}
