import type { ReactNode } from "react";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { formatTime } from "#app/owner/ui/labels.ts";
import { isInternational } from "#app/server/email-address.ts";
import { statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import type { ListedEntry } from "#app/waitlist/entries/entries-page.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { mainQuestion } from "#app/waitlist/questions/questions.server.ts";
import { columnText, type EntryColumn, listedColumns } from "#app/waitlist/sign-up/entry-fields.server.ts";

interface EntryTableProps {
  entries: ListedEntry[];
  caption: ReactNode;
  href: (entry: ListedEntry) => string;
  timeZone: string;
}

/** What narrow screens show of an entry, in two lines. */
const inLines = new Set(["email", "joined", "status", mainQuestion && answerField(mainQuestion)]);

export function EntryTable({ entries, caption, href, timeZone }: EntryTableProps) {
  const toColumn = (column: EntryColumn): Column<ListedEntry> => {
    const { name, label, isTime } = column;
    const text = (entry: ListedEntry) =>
      columnText(column, entry, (time) => formatTime(time, timeZone)) ?? <span className="no-value">–</span>;
    if (name === "status") return { name: label, cell: (entry) => <Status entry={entry} text={text(entry)} /> };
    const address = (entry: ListedEntry) => <Address entry={entry} href={href(entry)} />;
    const joined = (entry: ListedEntry) => <Joined text={formatTime(entry.created_at, timeZone)} />;
    const cell = name === "email" ? address : name === "joined" ? joined : text;
    return { name: label, cell, isExtra: !inLines.has(name), ...(isTime ? {} : { kind: "words" }) };
  };
  return (
    <Table
      className="entry-table lines"
      caption={caption}
      columns={listedColumns.map(toColumn)}
      rows={entries}
      rowKey={({ id }) => id}
    />
  );
}

/** `21 Nov 2026, 14:05`, of which narrow screens leave out the time. */
function Joined({ text }: { text: string }) {
  const [date, ...time] = text.split(", ");
  return (
    <>
      {date}
      <span className="time">{`, ${time.join(", ")}`}</span>
    </>
  );
}

function Address({ entry: { email }, href }: { entry: ListedEntry; href: string }) {
  return (
    <>
      <a href={href}>{email}</a>
      {isInternational(email) ? <small>Gets no email</small> : null}
    </>
  );
}

function Status({ entry, text }: { entry: ListedEntry; text: ReactNode }) {
  return <span className={`status status-${statusOf(entry)}`}>{text}</span>;
}
