import type { ReactNode } from "react";
import { readNotifications } from "#app/email/notifications.server.ts";
import { describePause, releaseUnverified, retryNow, unverifiedPause } from "#app/email/pauses.server.ts";
import { requeueDead } from "#app/email/requeue.server.ts";
import { Attention, type SiteState, siteAttention } from "#app/features/overview/attention.server.tsx";
import { BlockedAttempts } from "#app/features/overview/charts/blocked-attempts.server.tsx";
import { Timeline } from "#app/features/overview/charts/timeline.server.tsx";
import {
  type ChosenPeriod,
  PeriodChoice,
  periodTitle,
  readPeriod,
} from "#app/features/overview/chosen-period.server.tsx";
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
import { readStats, renewStats, type Stats } from "#app/features/overview/stats.server.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { counted, formatNumber, formatRate, formatTime } from "#app/owner/ui/labels.ts";
import {
  type AttentionItem,
  type OwnerContext,
  pageToChange,
  parseId,
  type UpcomingItem,
} from "#app/owner/ui/owner-context.ts";
import { Message, Outcome, Page, Section } from "#app/owner/ui/page.server.tsx";
import { siteSettings } from "#app/server/config/settings.server.ts";
import { quotaEnd, seemsQuotaExceeded } from "#app/server/db/daily-quota.server.ts";
import { logInfo } from "#app/server/log.ts";
import { shortDate } from "#app/server/time/british-date.ts";
import * as switches from "#app/switches.ts";

export async function showOverview(c: OwnerContext) {
  const { app } = c.var;
  const { timeZone } = app;
  const chosen = readPeriod(c);
  const now = app.now();
  const [settled, pause] = await Promise.all([readSettledSteps(app.db), describePause(app.db, now, timeZone)]);
  const steps = await readFirstSteps(app, stepsOf(c, pause), settled);
  const firstSteps = { steps, showsDismissed: c.req.query("steps") === "dismissed" };
  const launch = launchAttention(c);
  if (!hasJoined(steps)) return c.render(firstDayView({ ...firstSteps, attention: launch }));
  const [{ stats, computedAt }, notifications, [unverified], quotaExceeded, ofSections, upcoming] = await Promise.all([
    readStats(app, { ...chosen.period, timeZone }),
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
    limitPage: pageToChange(c, "emails"),
    launch,
    maxVisits: app.plan.visits,
    quota: quotaExceeded ? quotaEnd(now) : null,
  };
  // The number of failed emails that were just requeued.
  const requeued = parseId(c.req.query("requeued"));
  const dates = { from: stats.days[0]?.date ?? "", until: stats.days.at(-1)?.date ?? "" };
  const isPresent = dates.until === chosen.today;
  if (chosen.refused !== undefined) c.status(422);
  // Stats are stored; this says how old they are, and computes them now.
  const age = (
    <ButtonForm
      className="row hint"
      action={`/owner/stats?${new URLSearchParams(chosen.query)}`}
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
        <Section id="period" className="period" title={periodTitle(chosen)}>
          <PeriodChoice chosen={chosen} path="/owner" since={stats.joinedSince} />
          <PeriodTiles stats={stats} dates={dates} isPresent={isPresent} />
        </Section>
      </div>
      <Timeline stats={stats} timeZone={timeZone} isPresent={isPresent} />
      <Origins stats={stats} dates={dates} query={chosen.query} isPresent={isPresent} />
      <EmailState stats={stats} notifications={notifications} timeZone={timeZone} />
      <BlockedAttempts stats={stats} period={inPeriod(chosen)} />
      <DismissedSteps {...firstSteps} />
    </Page>,
  );
}

/** A launch date that has passed, with the page that changes it, if there is one. */
function launchAttention(c: OwnerContext): AttentionItem[] {
  const { app } = c.var;
  const warning = launchDateWarning(app.config.LAUNCH_URL, siteSettings().launchDate, app.now());
  if (warning === null) return [];
  const href = pageToChange(c, "launch");
  if (href === undefined) return [{ text: `${warning}\nAdvanced: ${LAUNCH_IN_CODE}` }];
  return [{ text: warning, action: { label: "Change the launch", href } }];
}

/** `in the last 30 days`, `from 1 Oct 2026 to 31 Oct 2026` */
function inPeriod({ period }: ChosenPeriod): string {
  if ("days" in period) return `in the last ${period.days} days`;
  return `from ${shortDate(period.from)} to ${shortDate(period.until)}`;
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
  const { period, query } = readPeriod(c);
  await renewStats(c.var.app, { ...period, timeZone: c.var.app.timeZone });
  return c.redirect(`/owner?${new URLSearchParams(query)}`, 303);
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
  dates: Dates;
  /** Whether it ends today. */
  isPresent: boolean;
}

function PeriodTiles({ stats: { periods, groups, days }, dates, isPresent }: PeriodProps) {
  const { chosen, before } = periods;
  const asked = groups.source.reduce((sum, group) => sum + group.asked, 0);
  const confirmed = groups.source.reduce((sum, group) => sum + group.confirmed, 0);
  const change = (of: keyof PeriodStats) =>
    changeText(chosen[of], before[of], days.length === 1 ? "day" : `${days.length} days`);
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
      {isPresent ? <Present periods={periods} date={dates.until} /> : null}
    </dl>
  );
}

function Present({
  periods: { today, yesterday, lastWeek, weekBefore },
  date,
}: Pick<Stats, "periods"> & { date: string }) {
  return (
    <>
      <Tile name="Today" value={today.joined} href={listHref({ from: date, until: date })}>
        {`${formatNumber(yesterday.joined)} yesterday`}
      </Tile>
      <Tile name="Last full week" value={lastWeek.joined}>
        {changeText(lastWeek.joined, weekBefore.joined, "week")}
      </Tile>
    </>
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
