import type { ComponentProps } from "react";
import type { StoredNotification } from "#app/email/notifications.server.ts";
import { Blocked } from "#app/owner/overview/blocked.server.tsx";
import { DayBars, TotalChart } from "#app/owner/overview/day-charts.server.tsx";
import { showsFirstSteps } from "#app/owner/overview/first-steps.server.ts";
import { FirstStepsList } from "#app/owner/overview/first-steps-view.server.tsx";
import { Origins } from "#app/owner/overview/origins.server.tsx";
import { Funnel, RecentTiles } from "#app/owner/overview/period.server.tsx";
import type { Stats } from "#app/owner/overview/stats.server.ts";
import { chartUnit, mergeWeeks } from "#app/owner/overview/weeks.ts";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { EmailState } from "#app/owner/ui/email-state.server.tsx";
import { formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Tile } from "#app/owner/ui/tile.server.tsx";

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
  firstSteps: ComponentProps<typeof FirstStepsList>;
}

export function overviewView(props: OverviewProps): OwnerView {
  const { stats, days, timeZone, firstSteps } = props;
  const dates = { from: stats.days[0]?.date ?? "", until: stats.days.at(-1)?.date ?? "" };
  return {
    title: "Overview",
    section: "overview",
    body: (
      <main id="main" className="page owner">
        <h1>Overview</h1>
        {showsFirstSteps(firstSteps.steps, stats.entries.joined) ? <FirstStepsList {...firstSteps} /> : null}
        <dl className="tiles">
          <Tile name="On the waitlist" value={stats.entries.active} main />
          {stats.entries.unconfirmed > 0 ? <Tile name="Unconfirmed" value={stats.entries.unconfirmed} /> : null}
          <Tile name="Joined in total" value={stats.entries.joined} />
          <Tile name="Unsubscribed" value={stats.entries.unsubscribed} />
          <Tile name="Erased" value={stats.entries.erased} />
          <RecentTiles periods={stats.periods} today={dates.until} />
        </dl>
        <Periods days={days} />
        <Renew {...props} />
        <Funnel stats={stats} days={days} dates={dates} />
        <SignUps stats={stats} timeZone={timeZone} />
        <Origins stats={stats} dates={dates} />
        <EmailState {...props} />
        <Blocked stats={stats} days={days} />
      </main>
    ),
  };
}

function Periods({ days }: { days: number }) {
  return (
    <nav className="periods" aria-label="Period">
      <ul>
        {PERIODS.map((period) => (
          <li key={period}>
            <a href={`/owner?days=${period}`} aria-current={period === days ? "page" : undefined}>
              {period} days
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Stats are stored; this says how old they are, and computes them now. */
function Renew({ computedAt, days, timeZone }: Pick<OverviewProps, "computedAt" | "days" | "timeZone">) {
  return (
    <form className="owner-renew" method="post" action={`/owner/stats?days=${days}`}>
      <p>{`As of ${formatTime(computedAt, timeZone)}`}</p>
      <button className="button button-quiet" type="submit">
        Update now
      </button>
    </form>
  );
}

function SignUps({ stats, timeZone }: { stats: Stats; timeZone: string }) {
  const unit = chartUnit(stats.days);
  const days = unit === "day" ? stats.days : mergeWeeks(stats.days, mergeDays);
  return (
    <section aria-labelledby="sign-ups">
      <h2 id="sign-ups">{unit === "day" ? "Day by day" : "Week by week"}</h2>
      <figure className="owner-chart">
        <DayBars days={days} unit={unit} of="joined" name="sign-ups" />
        <figcaption>{`Joined each ${unit}`}</figcaption>
      </figure>
      {days.some(({ visits }) => visits > 0) ? (
        <figure className="owner-chart">
          <DayBars days={days} unit={unit} of="visits" name="visits" />
          <figcaption>{`Visits each ${unit}`}</figcaption>
        </figure>
      ) : null}
      <figure className="owner-chart">
        <TotalChart days={days} unit={unit} />
        <figcaption>{`Total joined by the end of each ${unit}`}</figcaption>
      </figure>
      <details className="numbers">
        <summary>Show data</summary>
        <table className="owner-table">
          <caption>
            {`${unit === "day" ? "Days" : "Weeks, by their first day,"} in ${timeZone}, newest first. Erased entries count only in the total.`}
          </caption>
          <thead>
            <tr>
              <th scope="col">{unit === "day" ? "Day" : "Week"}</th>
              <th scope="col" className="number">
                Joined
              </th>
              <th scope="col" className="number">
                Running total
              </th>
              <th scope="col" className="number">
                Visits
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ date, joined, total, visits }) => (
              <tr key={date}>
                <th scope="row">{date}</th>
                <td className="number">{formatNumber(joined)}</td>
                <td className="number">{formatNumber(total)}</td>
                <td className="number">{formatNumber(visits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

type Day = Stats["days"][number];

function mergeDays(week: [Day, ...Day[]]): Day {
  const last = week.at(-1) ?? week[0];
  const sum = (of: "joined" | "visits") => week.reduce((total, day) => total + day[of], 0);
  return { ...week[0], until: last.until, total: last.total, joined: sum("joined"), visits: sum("visits") };
}
