import type { ComponentProps } from "react";
import type { StoredNotification } from "#app/email/notifications.server.ts";
import type { Sending } from "#app/owner/overview/backlog.server.tsx";
import { Blocked, RefusedLinks } from "#app/owner/overview/blocked.server.tsx";
import { BarChart, TotalChart } from "#app/owner/overview/charts.server.tsx";
import { EmailState } from "#app/owner/overview/emails.server.tsx";
import { showsFirstSteps } from "#app/owner/overview/first-steps.server.ts";
import { FirstStepsList } from "#app/owner/overview/first-steps-view.server.tsx";
import { Origins } from "#app/owner/overview/origins.server.tsx";
import { Funnel, RecentTiles } from "#app/owner/overview/period.server.tsx";
import type { Stats } from "#app/owner/overview/stats.server.ts";
import { chartUnit, mergeWeeks } from "#app/owner/overview/weeks.ts";
import { ButtonForm } from "#app/owner/ui/actions.server.tsx";
import { type Column, Table, Tile } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Pills } from "#app/owner/ui/navigation.server.tsx";
import { Message, Page, Section } from "#app/owner/ui/page.server.tsx";
import * as switches from "#app/switches.ts";

/** Periods to choose from (days). */
export const PERIODS = [30, 90, 365] as const;

interface OverviewProps {
  stats: Stats;
  /** Milliseconds since 1970. */
  computedAt: number;
  notifications: StoredNotification[];
  days: (typeof PERIODS)[number];
  timeZone: string;
  /** The number of dead emails that were just requeued. */
  requeued: number | null;
  /** Why all email waits, in words. */
  pause: string | null;
  /** Since when emails to unverified sign-ups are held (milliseconds since 1970). */
  heldSince: number | null;
  /** How fast the site sends; null without a sender. */
  sending: Sending | null;
  firstSteps: ComponentProps<typeof FirstStepsList>;
  /** What to do about a launch date that has passed. */
  launchDate: string | null;
  /** Visits have used up the rows that they may write today. */
  visitsFull: boolean;
  /** When D1 accepts queries again, if it has refused some today. */
  quota: string | null;
}

export function overviewView(props: OverviewProps) {
  const { stats, days, timeZone, firstSteps } = props;
  const dates = { from: stats.days[0]?.date ?? "", until: stats.days.at(-1)?.date ?? "" };
  return (
    <Page title="Overview" section="overview">
      {props.quota === null ? null : (
        <Message>
          {`What the database may do in a day is used up, so no one can join. Sign-up works again ${props.quota}.\nAdvanced: D1 refused queries today. Cloudflare’s free plan limits the rows of a day; the Workers Paid plan does not (docs/workers-plans.md).`}
        </Message>
      )}
      {switches.visits && props.visitsFull ? (
        <Message>
          The site has stopped counting visits until midnight UTC, so that sign-ups get the rest of what the database
          may store today.
        </Message>
      ) : null}
      <Message>{props.launchDate}</Message>
      <RefusedLinks {...props} />
      {showsFirstSteps(firstSteps.steps, stats.entries.joined) ? <FirstStepsList {...firstSteps} /> : null}
      <dl className="tiles">
        <Tile name="On the waitlist" value={stats.entries.active} main />
        {stats.entries.unconfirmed > 0 ? <Tile name="Unconfirmed" value={stats.entries.unconfirmed} /> : null}
        <Tile name="Joined in total" value={stats.entries.joined} />
        <Tile name="Unsubscribed" value={stats.entries.unsubscribed} />
        <Tile name="Erased" value={stats.entries.erased} />
        <RecentTiles periods={stats.periods} today={dates.until} />
      </dl>
      <Pills
        label="Period"
        links={PERIODS.map((period) => ({
          text: `${period} days`,
          href: `/owner?days=${period}`,
          isCurrent: period === days,
        }))}
      />
      {/* Stats are stored; this says how old they are, and computes them now. */}
      <ButtonForm
        className="row stats-age"
        action={`/owner/stats?days=${days}`}
        text={`As of ${formatTime(props.computedAt, timeZone)}`}
        label="Update now"
      />
      <Funnel stats={stats} days={days} dates={dates} />
      <SignUps stats={stats} timeZone={timeZone} />
      <Origins stats={stats} dates={dates} />
      <EmailState {...props} />
      <Blocked stats={stats} days={days} />
    </Page>
  );
}

function SignUps({ stats, timeZone }: { stats: Stats; timeZone: string }) {
  const unit = chartUnit(stats.days);
  const isByDay = unit === "day";
  const days = isByDay ? stats.days : mergeWeeks(stats.days, mergeDays);
  return (
    <Section id="sign-ups" title={isByDay ? "Day by day" : "Week by week"}>
      <BarChart name="sign-ups" caption={`Joined each ${unit}`} days={days} unit={unit} layers={joined} />
      {days.some(({ visits }) => visits > 0) ? (
        <BarChart name="visits" caption={`Visits each ${unit}`} days={days} unit={unit} layers={visits} />
      ) : null}
      <TotalChart caption={`Total joined by the end of each ${unit}`} days={days} unit={unit} />
      <details className="data">
        <summary>Show data</summary>
        <Table
          caption={`${isByDay ? "Days" : "Weeks, by their first day,"} in ${timeZone}, newest first. Erased entries count only in the total.`}
          columns={[
            { name: isByDay ? "Day" : "Week", cell: ({ date }) => date },
            { name: "Joined", kind: "number", cell: ({ joined }) => formatNumber(joined) },
            { name: "Running total", kind: "number", cell: ({ total }) => formatNumber(total) },
            ...(switches.visits ? [visitsColumn] : []),
          ]}
          rows={days.toReversed()}
          rowKey={({ date }) => date}
        />
      </details>
    </Section>
  );
}

type Day = Stats["days"][number];

const visitsColumn: Column<Day> = { name: "Visits", kind: "number", cell: ({ visits }) => formatNumber(visits) };

const joined = [{ className: "chart-bars chart-bars-joined", fill: "var(--primary)", value: (day: Day) => day.joined }];
const visits = [{ className: "chart-bars chart-bars-visits", fill: "var(--layer-2)", value: (day: Day) => day.visits }];

function mergeDays(week: [Day, ...Day[]]): Day {
  const last = week.at(-1) ?? week[0];
  const sum = (of: "joined" | "visits") => week.reduce((total, day) => total + day[of], 0);
  return { ...week[0], until: last.until, total: last.total, joined: sum("joined"), visits: sum("visits") };
}
