import type { ReactNode } from "react";
import { readNotifications } from "#app/email/notifications.server.ts";
import { describePause, releaseUnverified, retryNow, unverifiedPause } from "#app/email/pauses.server.ts";
import { requeueDead } from "#app/email/requeue.server.ts";
import { Attention, type SiteState, siteAttention } from "#app/features/overview/attention.server.tsx";
import { BlockedAttempts } from "#app/features/overview/charts/blocked-attempts.server.tsx";
import { Timeline } from "#app/features/overview/charts/timeline.server.tsx";
import { EmailState } from "#app/features/overview/emails.server.tsx";
import {
  DismissedSteps,
  FirstSteps,
  firstDayView,
  hasJoined,
  readFirstSteps,
  readSettledSteps,
  stepsOf,
} from "#app/features/overview/first-steps.server.tsx";
import { LAUNCH_IN_CODE, launchDateWarning } from "#app/features/overview/launch-date.ts";
import { listHref } from "#app/features/overview/list-links.ts";
import { type Dates, Origins } from "#app/features/overview/origins.server.tsx";
import type { PeriodStats } from "#app/features/overview/period-stats.server.ts";
import { PERIODS, readStats, renewStats, type Stats } from "#app/features/overview/stats.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatRate, formatTime } from "#app/owner/ui/labels.ts";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import { type AttentionItem, type OwnerContext, parseId, type UpcomingItem } from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { siteSettings } from "#app/server/config/settings.server.ts";
import { quotaEnd, seemsQuotaExceeded } from "#app/server/db/daily-quota.server.ts";
import { logInfo } from "#app/server/log.ts";
import * as switches from "#app/switches.ts";

export async function showOverview(c: OwnerContext) {
  const { app } = c.var;
  const { days, timeZone } = statsOptions(c);
  const now = app.now();
  const [settled, pause] = await Promise.all([readSettledSteps(app.db), describePause(app.db, now, timeZone)]);
  const steps = await readFirstSteps(app, stepsOf(c, pause), settled);
  const firstSteps = { steps, showsDismissed: c.req.query("steps") === "dismissed" };
  const launch = launchAttention(c);
  if (!hasJoined(steps)) return c.render(firstDayView({ ...firstSteps, attention: launch }));
  const [{ stats, computedAt }, notifications, [unverified], quotaExceeded, ofSections, upcoming] = await Promise.all([
    readStats(app, statsOptions(c)),
    readNotifications(app.db, [c.var.owner.id]),
    unverifiedPause(app.db),
    seemsQuotaExceeded(app),
    Promise.all(c.var.sections.map(({ attention }) => attention?.(c) ?? [])),
    Promise.all(c.var.sections.map(({ upcoming }) => upcoming?.(c) ?? [])),
  ]);
  const state: SiteState = {
    stats,
    computedAt,
    notifications,
    timeZone,
    pause,
    unverifiedPausedSince: unverified?.since ?? null,
    sending: app.mailer === null ? null : app,
    launch,
    maxVisits: app.plan.visits,
    quota: quotaExceeded ? quotaEnd(now) : null,
  };
  // The number of failed emails that were just requeued.
  const requeued = parseId(c.req.query("requeued"));
  const dates = { from: stats.days[0]?.date ?? "", until: stats.days.at(-1)?.date ?? "" };
  // Stats are stored; this says how old they are, and computes them now.
  const age = (
    <ButtonForm
      className="row hint"
      action={`/owner/stats?days=${days}`}
      text={`As of ${formatTime(computedAt, timeZone)}`}
      label="Update now"
    />
  );
  return c.render(
    <Page title="Overview" section="overview" aside={age}>
      <Outcome />
      {requeued === undefined ? null : (
        <Message kind="success">
          {`${counted(requeued, "email is", "emails are")} queued again and will be sent within a minute.`}
        </Message>
      )}
      <Attention items={[...siteAttention(state), ...ofSections.flat()]} />
      <Upcoming items={upcoming.flat()} timeZone={timeZone} />
      <div className="columns overview-top">
        <Total entries={stats.entries} />
        <FirstSteps steps={steps} isFolded />
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
      <EmailState stats={stats} notifications={notifications} timeZone={timeZone} />
      <BlockedAttempts stats={stats} days={days} />
      <DismissedSteps {...firstSteps} />
    </Page>,
  );
}

/** A launch date that has passed, with the page that changes it, if there is one. */
function launchAttention({ var: { app, sections } }: OwnerContext): AttentionItem[] {
  const warning = launchDateWarning(app.config.LAUNCH_URL, siteSettings().launchDate, app.now());
  if (warning === null) return [];
  const href = sections.flatMap(({ changes }) => changes?.launch ?? [])[0];
  if (href === undefined) return [{ text: `${warning}\nAdvanced: ${LAUNCH_IN_CODE}` }];
  return [{ text: warning, action: { label: "Change the launch", href } }];
}

/** What will begin by itself, the first one first. */
function Upcoming({ items, timeZone }: { items: UpcomingItem[]; timeZone: string }) {
  if (items.length === 0) return null;
  return (
    <Section id="upcoming" title="Scheduled">
      <ul className="bare-list upcoming">
        {items
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, name, href, text }) => (
            <li key={href}>
              <a className="quiet-link" href={href}>
                {name}
              </a>
              <span>{`${formatTime(at, timeZone)} (${timeZone}): ${text}`}</span>
            </li>
          ))}
      </ul>
    </Section>
  );
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

/** How many people can get email, and everyone else who joined, so that the numbers add up. */
function Total({ entries }: Pick<Stats, "entries">) {
  const { joined, canGetEmail, unconfirmed, unsubscribed, suppressed, erased } = entries;
  return (
    <section className="panel total" aria-labelledby="total">
      <h2 id="total">
        <a className="quiet-link total-number" href={listHref({ status: "active" })}>
          {formatNumber(canGetEmail)}
        </a>{" "}
        can get email
      </h2>
      <dl className="total-parts">
        <Part name="Unconfirmed" people={unconfirmed} href={listHref({ confirmation: "unconfirmed" })} />
        <Part name="Unsubscribed" people={unsubscribed} href={listHref({ status: "unsubscribed" })} />
        <Part name="Suppressed" people={suppressed} href={listHref({ status: "suppressed" })}>
          Their address bounced, or is blocked
        </Part>
        <Part name="Erased" people={erased} />
        <div className="total-sum">
          <dt>Joined in total</dt>
          <dd>{formatNumber(joined)}</dd>
        </div>
      </dl>
    </section>
  );
}

function Part({ name, people, href, children }: { name: string; people: number; href?: string; children?: ReactNode }) {
  if (people === 0) return null;
  return (
    <div>
      <dt>
        {href === undefined ? (
          name
        ) : (
          <a className="quiet-link" href={href}>
            {name}
          </a>
        )}
        {children === undefined ? null : <small>{children}</small>}
      </dt>
      <dd>{formatNumber(people)}</dd>
    </div>
  );
}

interface PeriodProps {
  stats: Stats;
  days: number;
  dates: Dates;
}

function PeriodTiles({ stats: { periods, groups }, days, dates }: PeriodProps) {
  const { chosen, before, lastWeek, weekBefore } = periods;
  const asked = groups.source.reduce((sum, group) => sum + group.asked, 0);
  const confirmed = groups.source.reduce((sum, group) => sum + group.confirmed, 0);
  const change = (of: keyof PeriodStats) => changeText(chosen[of], before[of], `${days} days`);
  return (
    <dl className="tiles period-tiles flush">
      {switches.visits ? (
        <Tile name="Visits" value={chosen.visits}>
          {change("visits")}
        </Tile>
      ) : null}
      <Tile name="Joined" value={chosen.joined} href={listHref({ ...dates })}>
        {chosen.visits > 0 && chosen.joined <= chosen.visits ? (
          <strong>{`${formatRate(chosen.joined, chosen.visits)} of ${formatNumber(chosen.visits)} visits`}</strong>
        ) : null}
        {change("joined")}
      </Tile>
      {asked > 0 ? (
        <Tile name="Confirmed" value={confirmed} href={listHref({ confirmation: "confirmed", ...dates })}>
          <strong>{`${formatRate(confirmed, asked)} of ${formatNumber(asked)} asked`}</strong>
        </Tile>
      ) : null}
      <Tile name="Today" value={periods.today.joined} href={listHref({ from: dates.until, until: dates.until })}>
        {`${formatNumber(periods.yesterday.joined)} yesterday`}
      </Tile>
      <Tile name="Last full week" value={lastWeek.joined}>
        {changeText(lastWeek.joined, weekBefore.joined, "week")}
      </Tile>
    </dl>
  );
}

/** `+12% on the 30 days before (268)` */
function changeText(now: number, before: number, period: string): ReactNode {
  if (before === 0) return <span>{`None in the ${period} before`}</span>;
  const change = (now - before) / before;
  return <span>{`${changeFormat.format(change)} on the ${period} before (${formatNumber(before)})`}</span>;
}

const changeFormat = new Intl.NumberFormat("en-GB", {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});
