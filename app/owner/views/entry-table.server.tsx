import type { ListedEntry } from "#app/owner/entries.server.ts";
import { moment } from "#app/owner/words.ts";

/** Entries, each with a link to its own page. */
export function EntryTable({ entries, timeZone }: { entries: ListedEntry[]; timeZone: string }) {
  if (entries.length === 0) return <p className="owner-none">No entry is like that.</p>;
  return (
    <table className="owner-table entry-table">
      <caption>{`Times of ${timeZone}`}</caption>
      <thead>
        <tr>
          <th scope="col">Address</th>
          <th scope="col">Joined</th>
          <th scope="col">Status</th>
          <th scope="col">Source</th>
          <th scope="col">Campaign</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <th scope="row" className="words">
              <a href={`/owner/entries/${entry.id}`}>{entry.email}</a>
            </th>
            <td data-label="Joined">{moment(entry.created_at, timeZone)}</td>
            <td data-label="Status">
              <span className={`status status-${entry.status}`}>{entry.status}</span>
            </td>
            <td className="words" data-label="Source">
              {entry.source}
            </td>
            <td className="words" data-label="Campaign">
              {entry.utm_campaign ?? "–"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
