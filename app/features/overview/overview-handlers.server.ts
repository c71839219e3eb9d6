import { readNotifications } from "#app/email/notifications.server.ts";
import { describePause, releaseUnverified, retryNow, unverifiedPause } from "#app/email/pauses.server.ts";
import { requeueDead } from "#app/email/requeue.server.ts";
import { type SiteState, siteAttention } from "#app/features/overview/attention.server.ts";
import { readFirstSteps } from "#app/features/overview/first-steps.server.ts";
import { firstDayView } from "#app/features/overview/first-steps-view.server.tsx";
import { launchDateWarning } from "#app/features/overview/launch-date.ts";
import { overviewView } from "#app/features/overview/overview-view.server.tsx";
import { PERIODS, readStats, renewStats } from "#app/features/overview/stats.server.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { quotaEnd, seemsQuotaExceeded } from "#app/server/db/daily-quota.server.ts";
import { logInfo } from "#app/server/log.ts";

export async function showOverview(c: OwnerContext) {
  const { app } = c.var;
  const { timeZone } = statsOptions(c);
  const now = app.now();
  const [steps, pause] = await Promise.all([readFirstSteps(app.db), describePause(app.db, now, timeZone)]);
  const firstSteps = { steps, canSend: app.mailer !== null, pause };
  const launchDate = launchDateWarning(app.config.LAUNCH_URL, now);
  if (!steps.signUp)
    return c.render(firstDayView({ ...firstSteps, attention: launchDate === null ? [] : [{ text: launchDate }] }));
  const [{ stats, computedAt }, notifications, [hold], quotaExceeded, ofSections] = await Promise.all([
    readStats(app, statsOptions(c)),
    readNotifications(app.db, [c.var.owner.id]),
    unverifiedPause(app.db),
    seemsQuotaExceeded(app),
    Promise.all(c.var.sections.map(({ attention }) => attention?.(c) ?? [])),
  ]);
  const state: SiteState = {
    stats,
    computedAt,
    notifications,
    timeZone,
    pause,
    heldSince: hold?.since ?? null,
    sending: app.mailer === null ? null : app,
    launchDate,
    maxVisits: app.plan.visits,
    quota: quotaExceeded ? quotaEnd(now) : null,
  };
  const attention = [...siteAttention(state), ...ofSections.flat()];
  const requeued = parseId(c.req.query("requeued")) ?? null;
  return c.render(overviewView({ ...state, attention, ...statsOptions(c), requeued, firstSteps }));
}

/** Computes the stats now, even if the stored ones are recent. */
export async function renewOverview(c: OwnerContext) {
  await renewStats(c.var.app, statsOptions(c));
  return c.redirect(`/owner?days=${statsOptions(c).days}`, 303);
}

/** Requeues dead emails: they are due at once. Those that may have arrived are requeued only by their own button. */
export async function retryDeadEmails(c: OwnerContext) {
  const { db, now } = c.var.app;
  const which = c.var.form.get("emails") === "outcome-unknown" ? "outcome-unknown" : "failed";
  const emails = await requeueDead(db, now(), which);
  if (emails > 0) await c.var.record("retry-emails", { emails });
  logInfo("dead-emails-requeued", { emails, which });
  return c.redirect(`/owner?requeued=${emails}`, 303);
}

/** Ends the pause of all email; the next run of the cron job tries one. */
export async function tryEmails(c: OwnerContext) {
  const { db, now } = c.var.app;
  if (await retryNow(db, now())) {
    await c.var.record("try-emails");
    logInfo("email-pause-ended");
  }
  return c.redirect("/owner", 303);
}

/** Releases the emails that wait because too many bounced: they are due at once. */
export async function releaseEmails(c: OwnerContext) {
  const { db, now } = c.var.app;
  if (await releaseUnverified(db, now())) {
    await c.var.record("release-emails");
    logInfo("held-emails-released");
  }
  return c.redirect("/owner", 303);
}

function statsOptions(c: OwnerContext) {
  const days = PERIODS.find((period) => String(period) === c.req.query("days")) ?? PERIODS[0];
  return { days, timeZone: c.var.app.timeZone };
}
