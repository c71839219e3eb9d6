import { describeHold, readHold } from "#app/email/holds.server.ts";
import { readNotifications } from "#app/email/notifications.server.ts";
import { requeueDead } from "#app/email/requeue.server.ts";
import { renderDocument } from "#app/owner/document.server.tsx";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { recordAction } from "#app/owner/log.server.ts";
import { readStats, renewStats } from "#app/owner/stats.server.ts";
import { overviewView, PERIODS } from "#app/owner/views/overview.server.tsx";
import { logInfo } from "#app/server/log.ts";
import { readForm } from "#app/server/read-form.server.ts";

export async function showOverview(c: OwnerContext) {
  const { app } = c.env;
  const { timeZone } = statsOptions(c);
  const now = app.now();
  const [{ stats, computedAt }, notifications, held] = await Promise.all([
    readStats(app, statsOptions(c)),
    readNotifications(app.db, [c.var.owner.id]),
    readHold(app.db, now),
  ]);
  const value = c.req.query("requeued");
  const requeued = value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null;
  const hold = held === null ? null : describeHold(held, now, timeZone);
  return c.html(renderDocument(overviewView({ stats, computedAt, notifications, ...statsOptions(c), requeued, hold })));
}

/** Computes the stats now, even if the stored ones are recent. */
export async function renewOverview(c: OwnerContext) {
  await renewStats(c.env.app, statsOptions(c));
  return c.redirect(`/owner?days=${statsOptions(c).days}`, 303);
}

/** Requeues dead emails; the next sweeps send them. Those that may have arrived are requeued only by their own button. */
export async function retryDeadEmails(c: OwnerContext) {
  const { db, now } = c.env.app;
  const which = (await readForm(c.req.raw)).get("emails") === "outcome-unknown" ? "outcome-unknown" : "failed";
  const emails = await requeueDead(db, now(), which);
  if (emails > 0) {
    await recordAction(c.env.app, { by: c.var.owner.email, action: "retry-emails", details: { emails } });
  }
  logInfo("dead-emails-requeued", { emails, which });
  return c.redirect(`/owner?requeued=${emails}`, 303);
}

function statsOptions(c: OwnerContext) {
  const days = PERIODS.find((period) => String(period) === c.req.query("days")) ?? PERIODS[0];
  return { days, timeZone: c.env.app.emailContext.ownerTimeZone };
}
