import { BlockedChart, type BlockedDay } from "#app/owner/charts/blocked-chart.server.tsx";
import { blockedReasons, number } from "#app/owner/labels.ts";
import type { Stats } from "#app/owner/stats.server.ts";
import type { BlockedReason } from "#app/server/db/schema.server.ts";

/** What the gate turned away, by reason. Its days are UTC's, as they are counted. */
export function Blocked({ figures: { blocked, days }, days: count }: { figures: Stats; days: number }) {
  return (
    <section aria-labelledby="blocked">
      <h2 id="blocked">Turned away</h2>
      {blocked.length === 0 ? (
        <p className="owner-none">{`Nothing in the last ${count} days.`}</p>
      ) : (
        <>
          <figure className="owner-chart">
            <BlockedChart days={byDay(blocked, days)} />
            <figcaption>Tries turned away on each day, by reason</figcaption>
          </figure>
          <Numbers blocked={blocked} />
        </>
      )}
    </section>
  );
}

function Numbers({ blocked }: { blocked: Stats["blocked"] }) {
  return (
    <details className="numbers">
      <summary>The numbers</summary>
      <table className="owner-table">
        <caption>Days of UTC, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Reason</th>
            <th scope="col" className="number">
              Tries
            </th>
          </tr>
        </thead>
        <tbody>
          {blocked.map(({ day, reason, count }) => (
            <tr key={day + reason}>
              <th scope="row">{day}</th>
              <td>{blockedReasons[reason]}</td>
              <td className="number">{number(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** A day may begin in UTC before it does where the owner is, so that both ends are taken from what was counted, too. */
function byDay(blocked: Stats["blocked"], calendar: { date: string }[]): BlockedDay[] {
  const dates = new Set([...calendar.map(({ date }) => date), ...blocked.map(({ day }) => day)]);
  const found = new Map([...dates].toSorted().map((date) => [date, { date } as BlockedDay]));
  for (const { day, reason, count } of blocked) {
    const row: { [reason in BlockedReason]?: number } = found.get(day) ?? {};
    row[reason] = count;
  }
  return [...found.values()];
}
