import type { ReactNode } from "react";
import { type Dates, listHref } from "#app/features/overview/list-links.ts";
import type { PeriodStats } from "#app/features/overview/period-stats.server.ts";
import type { Stats } from "#app/features/overview/stats.server.ts";
import { Tile } from "#app/owner/ui/data.server.tsx";
import { formatNumber, formatRate } from "#app/owner/ui/labels.ts";
import * as switches from "#app/switches.ts";

interface PeriodProps {
  stats: Stats;
  days: number;
  dates: Dates;
}

export function PeriodTiles({ stats: { periods, groups }, days, dates }: PeriodProps) {
  const { chosen, before, lastWeek, weekBefore } = periods;
  const asked = groups.source.reduce((sum, group) => sum + group.asked, 0);
  const confirmed = groups.source.reduce((sum, group) => sum + group.confirmed, 0);
  const change = (of: keyof PeriodStats) => changeText(chosen[of], before[of], `${days} days`);
  return (
    <dl className="tiles period-tiles">
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
