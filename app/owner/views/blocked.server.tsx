import { BlockedChart, type BlockedDay } from "#app/owner/charts/blocked-chart.server.tsx";
import { blockedReasons, formatNumber } from "#app/owner/labels.ts";
import type { Stats } from "#app/owner/stats.server.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";

/** Blocked attempts by UTC day and reason. */
export function Blocked({ stats: { blocked, days }, days: count }: { stats: Stats; days: number }) {
  return (
    <section aria-labelledby="blocked">
      <h2 id="blocked">Blocked attempts</h2>
      {blocked.length === 0 ? (
        <p className="owner-none">{`None in the last ${count} days.`}</p>
      ) : (
        <>
          <figure className="owner-chart">
            <BlockedChart days={byDay(blocked, days)} />
            <figcaption>Attempts blocked each day, by reason</figcaption>
          </figure>
          <BlockedTable blocked={blocked} />
        </>
      )}
    </section>
  );
}

function BlockedTable({ blocked }: { blocked: Stats["blocked"] }) {
  return (
    <details className="numbers">
      <summary>Show data</summary>
      <table className="owner-table">
        <caption>Days in UTC, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Reason</th>
            <th scope="col" className="number">
              Attempts
            </th>
          </tr>
        </thead>
        <tbody>
          {blocked.map(({ day, reason, count }) => (
            <tr key={day + reason}>
              <th scope="row">{day}</th>
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
