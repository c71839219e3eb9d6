import type { ComponentProps } from "react";
import { readNotifications } from "#app/email/notifications.server.ts";
import { describePause, releaseUnverified, retryNow, unverifiedPause } from "#app/email/pauses.server.ts";
import { requeueDead } from "#app/email/requeue.server.ts";
import { Attention, type SiteState, siteAttention } from "#app/features/overview/attention.server.tsx";
import { Blocked } from "#app/features/overview/blocked.server.tsx";
import { Timeline } from "#app/features/overview/charts/timeline.server.tsx";
import { EmailState } from "#app/features/overview/emails.server.tsx";
import {
  FirstStepsList,
  firstDayView,
  readFirstSteps,
  showsFirstSteps,
} from "#app/features/overview/first-steps.server.tsx";
import { launchDateWarning } from "#app/features/overview/launch-date.ts";
import { Origins } from "#app/features/overview/origins.server.tsx";
import { PeriodTiles } from "#app/features/overview/period.server.tsx";
import { PERIODS, readStats, renewStats } from "#app/features/overview/stats.server.ts";
import { Total } from "#app/features/overview/total.server.tsx";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { counted, formatTime } from "#app/owner/ui/labels.ts";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import { type AttentionItem, type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { Message, Page, Section } from "#app/owner/ui/page.server.tsx";
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

interface OverviewProps extends SiteState {
  attention: AttentionItem[];
  days: (typeof PERIODS)[number];
  /** The number of failed emails that were just requeued. */
  requeued: number | null;
  firstSteps: ComponentProps<typeof FirstStepsList>;
}

function overviewView(props: OverviewProps) {
  const { stats, days, timeZone, firstSteps, requeued } = props;
  const dates = { from: stats.days[0]?.date ?? "", until: stats.days.at(-1)?.date ?? "" };
  // Stats are stored; this says how old they are, and computes them now.
  const age = (
    <ButtonForm
      className="row stats-age"
      action={`/owner/stats?days=${days}`}
      text={`As of ${formatTime(props.computedAt, timeZone)}`}
      label="Update now"
    />
  );
  return (
    <Page title="Overview" section="overview" aside={age}>
      {requeued === null ? null : (
        <Message kind="success">
          {`${counted(requeued, "email is", "emails are")} queued again and will be sent within a minute.`}
        </Message>
      )}
      <Attention items={props.attention} />
      {showsFirstSteps(firstSteps.steps, stats.entries.joined) ? <FirstStepsList {...firstSteps} /> : null}
      <div className="overview-top">
        <Total entries={stats.entries} />
        <Section id="period" className="period" title={`The last ${days} days`}>
          <Pills
            label="Period"
            links={PERIODS.map((period) => ({
              text: `${period} days`,
              href: `/owner?days=${period}`,
              isCurrent: period === days,
            }))}
          />
          <PeriodTiles stats={stats} days={days} dates={dates} />
        </Section>
      </div>
      <Timeline stats={stats} timeZone={timeZone} />
      <Origins stats={stats} dates={dates} />
      <EmailState {...props} />
      <Blocked stats={stats} days={days} />
    </Page>
  );
}
