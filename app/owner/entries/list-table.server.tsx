import { formatTime } from "#app/owner/ui/labels.ts";
import { confirmationOf } from "#app/waitlist/confirmation.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import { columnText, type EntryColumn, listedColumns } from "#app/waitlist/entry-fields.server.ts";

interface EntryTableProps {
  entries: Entry[];
  caption: string;
  /** The page about an entry. */
  href: (entry: Entry) => string;
  timeZone: string;
}

/** A table of entries, each with a link to its page. */
export function EntryTable({ entries, caption, href, timeZone }: EntryTableProps) {
  return (
    <table className="owner-table entry-table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {listedColumns.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            {listedColumns.map((column) => (
              <Cell key={column.name} column={column} entry={entry} href={href(entry)} timeZone={timeZone} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  column: EntryColumn;
  entry: Entry;
  href: string;
  timeZone: string;
}

function Cell({ column, entry, href, timeZone }: CellProps) {
  const text = columnText(column, entry, (time) => formatTime(time, timeZone)) ?? "–";
  if (column.name === "email") {
    return (
      <th scope="row" className="words">
        <a href={href}>{text}</a>
      </th>
    );
  }
  const wraps = column.name !== "status" && !column.isTime;
  return (
    <td className={wraps ? "words" : undefined} data-label={column.label}>
      {column.name === "status" ? <Status entry={entry} text={text} /> : text}
    </td>
  );
}

function Status({ entry, text }: { entry: Entry; text: string }) {
  const isUnconfirmed = entry.status === "active" && confirmationOf(entry) === "unconfirmed";
  if (isUnconfirmed) return <span className="status status-unconfirmed">Unconfirmed</span>;
  return <span className={`status status-${entry.status}`}>{text}</span>;
}
