import { scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import {
  bar,
  Chart,
  type ChartUnit,
  chartUnit,
  DayLabels,
  dayScale,
  Grid,
  mergeWeeks,
} from "#app/features/overview/charts/chart-frame.server.tsx";
import type { Stats } from "#app/features/overview/stats.server.ts";
import { Table } from "#app/owner/ui/data.server.tsx";
import { blockedReasons, formatNumber } from "#app/owner/ui/labels.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";
import { shortDate } from "#app/server/time/british-date.ts";
import { utcDay } from "#app/server/time/calendar.ts";

type BlockedDay = { date: string } & Partial<Record<BlockedReason, number>>;

/** In the order of their layers. */
const reasons = Object.keys(blockedReasons) as BlockedReason[];

const colours: Record<BlockedReason, string> = {
  body: "var(--layer-5)",
  origin: "var(--layer-6)",
  honeypot: "var(--layer-2)",
  address: "var(--layer-1)",
  "rate-limited": "var(--layer-3)",
  "challenge-failed": "var(--layer-4)",
  "sign-in": "var(--layer-7)",
};

/** Blocked attempts by UTC day and reason, behind their number. @param period after that: `in the last 30 days` */
export function BlockedAttempts({ stats: { blocked: all, days }, period }: { stats: Stats; period: string }) {
  const [first, last] = [utcDay(days[0]?.from ?? 0), utcDay((days.at(-1)?.until ?? 1) - 1)];
  const blocked = all.filter(({ day }) => day >= first && day <= last);
  const attempts = blocked.reduce((sum, row) => sum + row.count, 0);
  const title = `Blocked attempts: ${attempts === 0 ? "none" : formatNumber(attempts)} ${period}`;
  if (attempts === 0) return <p className="none">{`${title}.`}</p>;
  const unit = chartUnit(days);
  const calendar = byDay(blocked, days);
  const points = unit === "day" ? calendar : mergeWeeks(calendar, mergeDays);
  return (
    <details className="data">
      <summary>{title}</summary>
      <BlockedChart days={points} unit={unit} />
      <BlockedTable days={points} unit={unit} />
    </details>
  );
}

function BlockedChart({ days, unit }: { days: BlockedDay[]; unit: ChartUnit }) {
  const stacked = stack<BlockedDay, BlockedReason>()
    .keys(reasons)
    .value((day, reason) => day[reason] ?? 0)(days);
  const max = Math.max(...stacked.flatMap((layer) => layer.map(([, top]) => top)));
  return (
    <Chart
      title={`Blocked each ${unit}, by reason`}
      label={`Bar chart: attempts blocked, by reason, in each of ${days.length} ${unit}s, at most ${max} a ${unit}.`}
      height={{ narrow: 210, wide: 260 }}
      draw={(chartArea) => {
        const x = dayScale(days, chartArea);
        const y = scaleLinear([0, Math.max(max, 1)], [chartArea.bottom, chartArea.top]).nice(4);
        return (
          <>
            <Grid chartArea={chartArea} y={y} />
            {stacked.map((layer) => (
              <path
                key={layer.key}
                className="chart-layer"
                d={layer
                  .filter(([from, to]) => to > from)
                  .map((point) => bar(x, point.data.date, y(point[0]), y(point[1])))
                  .join("")}
                fill={colours[layer.key]}
              />
            ))}
            <DayLabels chartArea={chartArea} days={days} x={x} />
          </>
        );
      }}
    >
      <Legend />
    </Chart>
  );
}

function Legend() {
  return (
    <ul className="bare-list row chart-legend">
      {reasons.map((reason) => (
        <li key={reason}>
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <rect width="12" height="12" rx="2" fill={colours[reason]} />
          </svg>
          {blockedReasons[reason]}
        </li>
      ))}
    </ul>
  );
}

function BlockedTable({ days, unit }: { days: BlockedDay[]; unit: ChartUnit }) {
  const rows = days
    .toReversed()
    .flatMap((day) => reasons.map((reason) => ({ date: day.date, reason, count: day[reason] ?? 0 })));
  const isByDay = unit === "day";
  return (
    <Table
      caption={isByDay ? "Days in UTC, newest first" : "Weeks in UTC, by their first day, newest first"}
      columns={[
        { name: isByDay ? "Day" : "Week", cell: ({ date }) => shortDate(date) },
        { name: "Reason", cell: ({ reason }) => blockedReasons[reason] },
        { name: "Attempts", kind: "number", cell: ({ count }) => formatNumber(count) },
      ]}
      rows={rows.filter(({ count }) => count > 0)}
      rowKey={({ date, reason }) => date + reason}
    />
  );
}

/** Merges the calendar with the counted days, since the owner's first and last day can differ from those in UTC. */
function byDay(blocked: Stats["blocked"], calendar: { date: string }[]): BlockedDay[] {
  const dates = new Set([...calendar.map(({ date }) => date), ...blocked.map(({ day }) => day)]);
  const found = new Map([...dates].toSorted().map((date) => [date, { date } as BlockedDay]));
  for (const { day, reason, count } of blocked) {
    const row: { [reason in BlockedReason]?: number } = found.get(day) ?? {};
    row[reason] = count;
  }
  return [...found.values()];
}

function mergeDays(week: [BlockedDay, ...BlockedDay[]]): BlockedDay {
  const sum = (reason: BlockedReason) => week.reduce((total, day) => total + (day[reason] ?? 0), 0);
  return { date: week[0].date, ...Object.fromEntries(reasons.map((reason) => [reason, sum(reason)])) };
}
