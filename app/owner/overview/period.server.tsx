import type { ReactNode } from "react";
import { type Dates, listHref } from "#app/owner/entries/list-link.ts";
import type { PeriodStats } from "#app/owner/overview/period-stats.server.ts";
import type { Stats } from "#app/owner/overview/stats.server.ts";
import { formatNumber, formatRate } from "#app/owner/ui/labels.ts";

interface PeriodProps {
  stats: Stats;
  days: number;
  dates: Dates;
}

/** From visits to sign-ups to confirmed addresses in the chosen period, each with the numbers behind its rate. */
export function Funnel({ stats: { periods, groups }, days, dates }: PeriodProps) {
  const { chosen, before } = periods;
  const asked = groups.source.reduce((sum, group) => sum + group.asked, 0);
  const confirmed = groups.source.reduce((sum, group) => sum + group.confirmed, 0);
  const change = (of: keyof PeriodStats) => changeText(chosen[of], before[of], days);
  return (
    <section aria-labelledby="period">
      <h2 id="period">{`The last ${days} days`}</h2>
      <dl className="tiles funnel">
        <Step name="Visits" value={chosen.visits}>
          {change("visits")}
        </Step>
        <Step name="Joined" value={chosen.joined} href={listHref({ ...dates })}>
          {chosen.visits > 0 && chosen.joined <= chosen.visits ? (
            <strong>{`${formatRate(chosen.joined, chosen.visits)} of ${formatNumber(chosen.visits)} visits`}</strong>
          ) : null}
          {change("joined")}
        </Step>
        {asked > 0 ? (
          <Step name="Confirmed" value={confirmed} href={listHref({ confirmation: "confirmed", ...dates })}>
            <strong>{`${formatRate(confirmed, asked)} of ${formatNumber(asked)} asked`}</strong>
          </Step>
        ) : null}
      </dl>
    </section>
  );
}

interface StepProps {
  name: string;
  value: number;
  href?: string;
  children: ReactNode;
}

function Step({ name, value, href, children }: StepProps) {
  return (
    <div className="tile">
      <dt>{name}</dt>
      <dd>
        {href === undefined ? (
          formatNumber(value)
        ) : (
          <a className="quiet-link" href={href}>
            {formatNumber(value)}
          </a>
        )}
      </dd>
      <dd className="tile-note">{children}</dd>
    </div>
  );
}

/** `+12% on the 30 days before (268)` */
function changeText(now: number, before: number, days: number): ReactNode {
  if (before === 0) return <span>{`None in the ${days} days before`}</span>;
  const change = (now - before) / before;
  return <span>{`${changeFormat.format(change)} on the ${days} days before (${formatNumber(before)})`}</span>;
}

const changeFormat = new Intl.NumberFormat("en-GB", {
  style: "percent",
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});

/** Today and this week, next to yesterday and last week. */
export function RecentTiles({ periods, today }: { periods: Stats["periods"]; today: string }) {
  return (
    <>
      <RecentTile name="Today" value={periods.today.joined} href={listHref({ from: today, until: today })}>
        {`${formatNumber(periods.yesterday.joined)} yesterday`}
      </RecentTile>
      <RecentTile name="This week" value={periods.week.joined}>
        {`${formatNumber(periods.weekBefore.joined)} last week`}
      </RecentTile>
    </>
  );
}

function RecentTile({ name, value, href, children }: Omit<StepProps, "children"> & { children: string }) {
  return (
    <Step name={name} value={value} {...(href === undefined ? {} : { href })}>
      <span>{children}</span>
    </Step>
  );
}
