import { recipientReasons, recipientStates } from "#app/email/letters/letter-reasons.ts";
import type { LetterStats } from "#app/email/letters/letter-stats.server.ts";
import { formatDay, formatNumber, formatRate } from "#app/owner/ui/labels.ts";

/** What became of a letter's recipients. */
export function LetterResults({ id, stats }: { id: number; stats: LetterStats }) {
  return (
    <section aria-labelledby="stats">
      <h2 id="stats">Results</h2>
      <dl className="tiles">
        <Tile name="Sent" value={stats.sent} main />
        <Tile name="Waiting" value={stats.pending} />
        <Tile name="Skipped" value={stats.skipped} />
        <Tile name="Failed" value={stats.failed} />
        {stats.unknown > 0 ? <Tile name="Unknown" value={stats.unknown} /> : null}
      </dl>
      <Reasons reasons={stats.reasons} />
      <h3>Of those who were sent it</h3>
      <dl className="tiles">
        <Tile name="Bounced" value={stats.bounced} of={stats.sent} />
        <Tile name="Reported it as spam" value={stats.complained} of={stats.sent} />
        <Tile name="Unsubscribed because of it" value={stats.unsubscribed} of={stats.sent} />
      </dl>
      <Days days={stats.days} />
      <form method="post" action={`/owner/letters/${id}/recipients.csv`}>
        <button className="button button-quiet" type="submit">
          Download the recipients (CSV)
        </button>
      </form>
    </section>
  );
}

function Tile({ name, value, of, main = false }: { name: string; value: number; of?: number; main?: boolean }) {
  return (
    <div className={main ? "tile tile-main" : "tile"}>
      <dt>{name}</dt>
      <dd>
        {formatNumber(value)}
        {of === undefined || of === 0 ? null : <span className="tile-note">{formatRate(value, of)}</span>}
      </dd>
    </div>
  );
}

function Reasons({ reasons }: Pick<LetterStats, "reasons">) {
  if (reasons.length === 0) return null;
  return (
    <table className="owner-table letter-reasons">
      <caption>Why people were not sent it, or may not have been</caption>
      <thead>
        <tr>
          <th scope="col">Reason</th>
          <th scope="col" className="number">
            People
          </th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ state, reason, people }) => (
          <tr key={`${state} ${reason}`}>
            <th scope="row">{`${recipientStates[state]}: ${recipientReasons[reason]}`}</th>
            <td className="number">{formatNumber(people)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Days({ days }: Pick<LetterStats, "days">) {
  if (days.length === 0) return null;
  return (
    <table className="owner-table letter-days">
      <caption>By day</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {["Sent", "Bounced", "Spam", "Left"].map((name) => (
            <th key={name} scope="col" className="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, sent, bounced, complained, unsubscribed }) => (
          <tr key={date}>
            <th scope="row">{formatDay(date)}</th>
            {[sent, bounced, complained, unsubscribed].map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: static markup, where nothing moves
              <td key={index} className="number">
                {formatNumber(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
