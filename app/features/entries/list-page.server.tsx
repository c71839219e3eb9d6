import { importOptions } from "#app/features/entries/import-options.server.ts";
import { ListChips } from "#app/features/entries/list-chips.server.tsx";
import { EntryFilters } from "#app/features/entries/list-filters.server.tsx";
import { firstPage, type ListState, readListState, withListState } from "#app/features/entries/list-state.ts";
import { listViews } from "#app/features/entries/views/saved-views.server.ts";
import { Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { type Column, Table } from "#app/owner/ui/data.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { counted, formatNumber, formatTime } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { Outcome, Page, Problems } from "#app/owner/ui/page.server.tsx";
import { readSearch, storeSearch } from "#app/owner/ui/search-cookie.server.ts";
import { isInternational } from "#app/server/email-address.ts";
import { statusOf } from "#app/waitlist/confirmation/confirmation.ts";
import { type ListedEntry, type ListPage, listEntries } from "#app/waitlist/entries/entries-page.server.ts";
import { columnText, type EntryColumn, listedColumns } from "#app/waitlist/entries/entry-columns.server.ts";
import { readNames } from "#app/waitlist/entries/used-names.server.ts";
import {
  activeFilters,
  searchedAddress,
  searchedWords,
  writeEntryFilter,
} from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/filters.server.ts";
import { countEntries, hasUnconfirmedEntries, recentOrigins } from "#app/waitlist/filter/list-entries.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { mainQuestion } from "#app/waitlist/questions/questions.server.ts";

export async function showList(c: OwnerContext) {
  const { db, timeZone, mustConfirm, now } = c.var.app;
  const { state, selection, problems } = readSelection(c);
  const { order, after, before } = state;
  const [found, { source }, origins, imported, views, hasUnconfirmed] = await Promise.all([
    listEntries(db, { ...selection, order, after, before, limit: PAGE_SIZE, now: now() }),
    readNames(db, ["source"]),
    recentOrigins(db),
    importOptions(c, writeEntryFilter(state.filter).get("imported")),
    listViews(db),
    // Whether people have to confirm their address, or some have yet to.
    mustConfirm || hasUnconfirmedEntries(db, now()),
  ]);
  const isWhole = !found.hasPrevious && !found.hasNext;
  const limit = state.countsAll ? undefined : MAX_COUNT + 1;
  const count = isWhole ? found.entries.length : await countEntries(db, selection, limit);
  const { search } = selection;
  const isWholeList = search === undefined && activeFilters(state.filter).length === 0;
  return c.render(
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
                  Select all<span className="unseen"> that match</span>
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
      <div className="columns list-tools panel">
        <Search state={firstPage(state)} search={search} />
        <EntryFilters state={state} choices={{ ...origins, source }} imported={imported} views={views} />
      </div>
      <ListChips state={state} views={views} hasUnconfirmed={hasUnconfirmed} />
      {count === 0 ? (
        <p className="none">{isWholeList ? "No one has joined yet." : "No entries match."}</p>
      ) : (
        <EntryTable entries={found.entries} count={count} state={state} timeZone={timeZone} search={search} />
      )}
      <ListPaging found={found} state={firstPage(state)} />
    </Page>,
  );
}

/** Starts a search in addresses and notes; an empty one ends it. Keeps the filters of the URL. */
export function search(c: OwnerContext) {
  const { state } = readListState(new URL(c.req.url).searchParams);
  const searchKey = storeSearch(c, c.var.form.get("search"));
  return c.redirect(withListState("/owner/entries", { ...firstPage(state), searchKey }), 303);
}

/** The entries that a URL with the list's state selects. Problems are sentences about filters that do not apply. */
export function readSelection(c: OwnerContext): { state: ListState; selection: EntrySelection; problems: string[] } {
  const { state, problems } = readListState(new URL(c.req.url).searchParams);
  const { searchKey } = state;
  const search = searchKey === undefined ? undefined : readSearch(c, searchKey);
  const selection = { ...state.filter, search, timeZone: c.var.app.timeZone };
  if (searchKey === undefined || search !== undefined) return { state, selection, problems };
  const ended = "The search has ended or was replaced by another one. Search again.";
  return { state: { ...state, searchKey: undefined }, selection, problems: [...problems, ended] };
}

const PAGE_SIZE = 25;

/** The list counts no further unless asked, because the count would take as long as the page itself. */
const MAX_COUNT = 10_000;

interface CaptionProps {
  /** How many entries match in all; up to one more than {@link MAX_COUNT}, unless the state asks for all. */
  count: number;
  state: ListState;
  timeZone: string;
}

function Caption({ count, state, timeZone }: CaptionProps) {
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
      <form className="form form-wide form-row flush" method="post" action={withListState("/owner/entries", state)}>
        <Field
          name="search"
          label="Address or note"
          type="search"
          value={search}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
        />
        <Button label="Search" />
      </form>
      {search === undefined ? null : (
        <p className="bare-list row list-searched">
          <span>
            Addresses and notes that contain <strong>{search}</strong>, in alphabetical order.
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

interface TableProps extends CaptionProps {
  entries: ListedEntry[];
  search: string | undefined;
}

function EntryTable({ entries, search, ...caption }: TableProps) {
  const { state, timeZone } = caption;
  const question = mainQuestion();
  /** What narrow screens show of an entry, in two lines. */
  const inLines = new Set(["email", "joined", "status", question && answerField(question)]);
  const cells: Record<string, Column<ListedEntry>["cell"]> = {
    email: (entry) => (
      <>
        <a href={withListState(`/owner/entries/${entry.id}`, { ...state, countsAll: false })}>{entry.email}</a>
        {isInternational(entry.email) ? <small>Gets no email</small> : null}
        {search === undefined ? null : <FoundNote entry={entry} search={search} />}
      </>
    ),
    joined: (entry) => <Joined text={formatTime(entry.created_at, timeZone)} />,
  };
  const toColumn = (column: EntryColumn): Column<ListedEntry> => {
    const { name, label, isTime } = column;
    const text = (entry: ListedEntry) =>
      columnText(column, entry, (time) => formatTime(time, timeZone)) ?? <span className="no-value">–</span>;
    if (name !== "status")
      return {
        name: label,
        cell: cells[name] ?? text,
        isExtra: !inLines.has(name),
        ...(isTime ? {} : { kind: "words" }),
      };
    const status = (entry: ListedEntry) => <span className={`status status-${statusOf(entry)}`}>{text(entry)}</span>;
    return { name: label, cell: status };
  };
  return (
    <Table
      className="cards plain lines"
      caption={<Caption {...caption} />}
      columns={listedColumns().map(toColumn)}
      rows={entries}
      rowKey={({ id }) => id}
    />
  );
}

/** Characters of a note in the list. */
const SHOWN_NOTE = 80;

/** The part of a note that a search has found; nothing where the address says why an entry is listed. */
function FoundNote({ entry: { email, owner_note: note }, search }: { entry: ListedEntry; search: string }) {
  if (note === null || email.includes(searchedAddress(search))) return null;
  const first = note.toLowerCase().indexOf(searchedWords(search)[0]?.toLowerCase() ?? "");
  const start = first > SHOWN_NOTE / 2 ? first - SHOWN_NOTE / 4 : 0;
  const part = note.slice(start, start + SHOWN_NOTE);
  return (
    <small>{`Note: ${start > 0 ? "…" : ""}${part.toWellFormed()}${note.length > start + SHOWN_NOTE ? "…" : ""}`}</small>
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
