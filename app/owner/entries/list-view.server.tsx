import type { ReactNode } from "react";
import { ListChips } from "#app/owner/entries/list-chips.server.tsx";
import { EntryFilters } from "#app/owner/entries/list-filters.server.tsx";
import { firstPage, type ListState, withListState } from "#app/owner/entries/list-state.ts";
import type { SavedView } from "#app/owner/entries/views/saved-view.ts";
import { Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import type { FilterChoices } from "#app/owner/ui/filter-field.server.tsx";
import { activeFilters } from "#app/owner/ui/filter-labels.ts";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Outcome, Page, Problems } from "#app/owner/ui/page.server.tsx";
import { isInternational } from "#app/server/email-address.ts";
import { questions } from "#app/site.ts";
import { statusOf } from "#app/waitlist/confirmation.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import type { ListPage } from "#app/waitlist/entries-page.server.ts";
import { columnText, type EntryColumn, listedColumns } from "#app/waitlist/entry-fields.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";

/** Entries per page. */
export const PAGE_SIZE = 25;

/** The list counts no further unless asked, because the count would take as long as the page itself. */
export const MAX_COUNT = 10_000;

export interface EntriesProps {
  found: ListPage;
  /** How many entries match in all; up to one more than {@link MAX_COUNT}, unless the state asks for all. */
  count: number;
  state: ListState;
  /** The text that is searched for. */
  search: string | undefined;
  /** Sentences about filters that do not apply. */
  problems: string[];
  choices: FilterChoices;
  timeZone: string;
  views: SavedView[];
  /** Whether people have to confirm their address, or some have yet to. */
  hasUnconfirmed: boolean;
}

export function entriesView({ found, count, state, search, problems, choices, timeZone, ...chips }: EntriesProps) {
  const isWholeList = search === undefined && activeFilters(state.filter).length === 0;
  return (
    <Page
      title="Entries"
      section="entries"
      className="page owner list"
      aside={
        <div className="row">
          {isWholeList || count === 0 ? null : (
            <ButtonLink
              label={
                <>
                  Select all<span className="list-wide"> that match</span>
                </>
              }
              kind="quiet"
              href={withListState("/owner/entries/select", firstPage(state))}
            />
          )}
          <ButtonLink
            label="Export"
            kind="quiet"
            href={withListState("/owner/export", { ...state, countsAll: false })}
          />
          {isWholeList ? <ButtonLink label="Add a person" kind="quiet" href="/owner/entries/new" /> : null}
        </div>
      }
    >
      <Outcome />
      <Problems problems={problems} />
      <div className="list-tools panel">
        <Search state={firstPage(state)} search={search} />
        <EntryFilters state={state} choices={choices} views={chips.views} />
      </div>
      <ListChips state={state} {...chips} />
      {count === 0 ? (
        <p className="none">{isWholeList ? "No one has joined yet." : "No entries match."}</p>
      ) : (
        <EntryTable
          entries={found.entries}
          caption={<Caption count={count} state={state} timeZone={timeZone} />}
          href={({ id }) => withListState(`/owner/entries/${id}`, { ...state, countsAll: false })}
          timeZone={timeZone}
        />
      )}
      <ListPaging found={found} state={firstPage(state)} />
    </Page>
  );
}

function Caption({ count, state, timeZone }: Pick<EntriesProps, "count" | "state" | "timeZone">) {
  const times = `Times in ${timeZone}.`;
  if (count <= MAX_COUNT || state.countsAll) return `${counted(count, "entry", "entries")}. ${times}`;
  return (
    <>
      More than {formatNumber(MAX_COUNT)} entries.{" "}
      <a className="quiet-link" href={withListState("/owner/entries", { ...state, countsAll: true })}>
        Count all
      </a>{" "}
      {times}
    </>
  );
}

/** Uses POST, which keeps addresses out of URLs. */
function Search({ state, search }: { state: ListState; search: string | undefined }) {
  return (
    <search>
      <form className="form form-row" method="post" action={withListState("/owner/entries", state)}>
        <Field
          name="search"
          label="Address contains"
          type="search"
          value={search}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
        />
        <Button label="Search" />
      </form>
      {search === undefined ? null : (
        <p className="row list-searched">
          <span>
            Addresses that contain <strong>{search}</strong>, in alphabetical order.
          </span>{" "}
          <a className="quiet-link" href={withListState("/owner/entries", { ...state, searchKey: undefined })}>
            Clear search
          </a>
        </p>
      )}
    </search>
  );
}

/** The cursor is an entry's id, which keeps addresses out of URLs. */
function ListPaging({ found: { entries, hasPrevious, hasNext }, state }: { found: ListPage; state: ListState }) {
  const [first, last] = [entries[0], entries.at(-1)];
  const href = (cursor: Pick<ListState, "before" | "after">) =>
    withListState("/owner/entries", { ...state, ...cursor });
  return (
    <Paging
      links={{
        "First page": hasPrevious && href({}),
        Previous: hasPrevious && first && href({ before: first.id }),
        Next: hasNext && last && href({ after: last.id }),
      }}
    />
  );
}

interface EntryTableProps {
  entries: Entry[];
  caption: ReactNode;
  /** The page about an entry. */
  href: (entry: Entry) => string;
  timeZone: string;
}

/** What narrow screens show of an entry, in two lines. */
const inLines = new Set(["email", "joined", "status", ...questions.slice(0, 1).map(answerField)]);

/** A table of entries, each with a link to its page. */
function EntryTable({ entries, caption, href, timeZone }: EntryTableProps) {
  const toColumn = (column: EntryColumn): Column<Entry> => {
    const { name, label, isTime } = column;
    const text = (entry: Entry) =>
      columnText(column, entry, (time) => formatTime(time, timeZone)) ?? <span className="no-value">–</span>;
    if (name === "status") return { name: label, cell: (entry) => <Status entry={entry} text={text(entry)} /> };
    const address = (entry: Entry) => <Address entry={entry} href={href(entry)} />;
    const joined = (entry: Entry) => <Joined text={formatTime(entry.created_at, timeZone)} />;
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

function Address({ entry: { email }, href }: { entry: Entry; href: string }) {
  return (
    <>
      <a href={href}>{email}</a>
      {isInternational(email) ? <small>Gets no email</small> : null}
    </>
  );
}

function Status({ entry, text }: { entry: Entry; text: ReactNode }) {
  return <span className={`status status-${statusOf(entry)}`}>{text}</span>;
}
