import { BlockedChart, type BlockedDay, reasons } from "#app/owner/overview/blocked-chart.server.tsx";
import type { Stats } from "#app/owner/overview/stats.server.ts";
import { type ChartUnit, chartUnit, mergeWeeks } from "#app/owner/overview/weeks.ts";
import { blockedReasons, formatNumber } from "#app/owner/ui/labels.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";

/** Blocked attempts by UTC day and reason. */
export function Blocked({ stats: { blocked, days }, days: count }: { stats: Stats; days: number }) {
  const unit = chartUnit(days);
  const calendar = byDay(blocked, days);
  const points = unit === "day" ? calendar : mergeWeeks(calendar, mergeDays);
  return (
    <section aria-labelledby="blocked">
      <h2 id="blocked">Blocked attempts</h2>
      {blocked.length === 0 ? (
        <p className="owner-none">{`None in the last ${count} days.`}</p>
      ) : (
        <>
          <figure className="owner-chart">
            <BlockedChart days={points} unit={unit} />
            <figcaption>{`Attempts blocked each ${unit}, by reason`}</figcaption>
          </figure>
          <BlockedTable days={points} unit={unit} />
        </>
      )}
    </section>
  );
}

function BlockedTable({ days, unit }: { days: BlockedDay[]; unit: ChartUnit }) {
  const rows = days
    .toReversed()
    .flatMap((day) => reasons.map((reason) => ({ date: day.date, reason, count: day[reason] ?? 0 })));
  return (
    <details className="numbers">
      <summary>Show data</summary>
      <table className="owner-table">
        <caption>
          {unit === "day" ? "Days in UTC, newest first" : "Weeks in UTC, by their first day, newest first"}
        </caption>
        <thead>
          <tr>
            <th scope="col">{unit === "day" ? "Day" : "Week"}</th>
            <th scope="col">Reason</th>
            <th scope="col" className="number">
              Attempts
            </th>
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(({ count }) => count > 0)
            .map(({ date, reason, count }) => (
              <tr key={date + reason}>
                <th scope="row">{date}</th>
                <td>{blockedReasons[reason]}</td>
                <td className="number">{formatNumber(count)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
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
