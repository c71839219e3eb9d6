import { firstPage, type ListState, withListState } from "#app/owner/entries/list-state.ts";
import { EntryTable } from "#app/owner/entries/list-table.server.tsx";
import type { OwnerView } from "#app/owner/ui/document.server.tsx";
import { EntryFilters, type FilterChoices } from "#app/owner/ui/entry-filters.server.tsx";
import { activeFilters } from "#app/owner/ui/filter-labels.ts";
import { flashMessage } from "#app/owner/ui/flash-messages.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { Problems } from "#app/owner/ui/problems.server.tsx";
import type { ListPage } from "#app/waitlist/list-entries.server.ts";

/** Entries per page. */
export const PAGE_SIZE = 25;

/** The list counts no further, because the count would take as long as the page itself. The export counts all. */
export const MAX_COUNT = 10_000;

export interface EntriesProps {
  found: ListPage;
  /** How many entries match in all, up to one more than {@link MAX_COUNT}. */
  count: number;
  state: ListState;
  /** The text that is searched for. */
  search: string | undefined;
  /** Sentences about filters that do not apply. */
  problems: string[];
  choices: FilterChoices;
  timeZone: string;
  /** The outcome of the change just made. */
  done: string | undefined;
}

export function entriesView({
  found,
  count,
  state,
  search,
  problems,
  choices,
  timeZone,
  done,
}: EntriesProps): OwnerView {
  const message = flashMessage(done);
  const isWholeList = search === undefined && activeFilters(state.filter).length === 0;
  return {
    title: "Entries",
    section: "entries",
    body: (
      <main id="main" className="page owner owner-list">
        <div className="owner-head">
          <h1>Entries</h1>
          <a className="button button-quiet" href={withListState("/owner/export", state)}>
            Export
          </a>
        </div>
        {message === null ? null : (
          <p className="owner-answer" role="status">
            {message}
          </p>
        )}
        <Problems problems={problems} />
        <div className="owner-tools">
          <Search state={state} search={search} />
          <EntryFilters state={state} choices={choices} />
        </div>
        {count === 0 ? (
          <p className="owner-none">{isWholeList ? "No one has joined yet." : "No entries match."}</p>
        ) : (
          <EntryTable
            entries={found.entries}
            caption={`${describeCount(count)}. Times in ${timeZone}.`}
            href={({ id }) => withListState(`/owner/entries/${id}`, state)}
            timeZone={timeZone}
          />
        )}
        <Paging found={found} state={firstPage(state)} />
      </main>
    ),
  };
}

function describeCount(count: number): string {
  if (count > MAX_COUNT) return `More than ${formatNumber(MAX_COUNT)} entries`;
  return count === 1 ? "1 entry" : `${formatNumber(count)} entries`;
}

/** Uses POST, which keeps addresses out of URLs. */
function Search({ state, search }: { state: ListState; search: string | undefined }) {
  const start = firstPage(state);
  return (
    <search>
      <form className="owner-form owner-search" method="post" action={withListState("/owner/entries", start)}>
        <label htmlFor="search">Address contains</label>
        <input
          id="search"
          name="search"
          type="search"
          defaultValue={search}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
        />
        <button className="button" type="submit">
          Search
        </button>
      </form>
      {search === undefined ? null : (
        <p className="owner-searched">
          <span>
            Addresses that contain <strong>{search}</strong>, in alphabetical order.
          </span>{" "}
          <a href={withListState("/owner/entries", { ...start, searchKey: undefined })}>Clear search</a>
        </p>
      )}
    </search>
  );
}

/** The cursor is an entry's id, which keeps addresses out of URLs. */
function Paging({ found: { entries, hasPrevious, hasNext }, state }: { found: ListPage; state: ListState }) {
  const [first, last] = [entries[0], entries.at(-1)];
  if (!hasPrevious && !hasNext) return null;
  const href = (cursor: Pick<ListState, "before" | "after">) =>
    withListState("/owner/entries", { ...state, ...cursor });
  return (
    <nav className="owner-paging" aria-label="Pages">
      {hasPrevious ? <a href={href({})}>First page</a> : null}
      {hasPrevious && first ? <a href={href({ before: first.id })}>Previous</a> : null}
      {hasNext && last ? <a href={href({ after: last.id })}>Next</a> : null}
    </nav>
  );
}
