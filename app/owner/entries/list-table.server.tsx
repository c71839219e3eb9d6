import { formatTime } from "#app/owner/ui/labels.ts";
import { type Column, Table } from "#app/owner/ui/table.server.tsx";
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
  const toColumn = (column: EntryColumn): Column<Entry> => {
    const { name, label, isTime } = column;
    const text = (entry: Entry) => columnText(column, entry, (time) => formatTime(time, timeZone)) ?? "–";
    if (name === "status") return { name: label, cell: (entry) => <Status entry={entry} text={text(entry)} /> };
    const cell = (entry: Entry) => (name === "email" ? <a href={href(entry)}>{text(entry)}</a> : text(entry));
    return { name: label, cell, ...(isTime ? {} : { kind: "words" }) };
  };
  return (
    <Table
      className="entry-table cards"
      caption={caption}
      columns={listedColumns.map(toColumn)}
      rows={entries}
      rowKey={({ id }) => id}
    />
  );
}

function Status({ entry, text }: { entry: Entry; text: string }) {
  const isUnconfirmed = entry.status === "active" && confirmationOf(entry) === "unconfirmed";
  if (isUnconfirmed) return <span className="status status-unconfirmed">Unconfirmed</span>;
  return <span className={`status status-${entry.status}`}>{text}</span>;
}
