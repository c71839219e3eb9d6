import { ListChips } from "#app/features/entries/list-chips.server.tsx";
import { EntryFilters } from "#app/features/entries/list-filters.server.tsx";
import { firstPage, type ListState, withListState } from "#app/features/entries/list-state.ts";
import { EntryTable } from "#app/features/entries/list-table.server.tsx";
import type { SavedView } from "#app/features/entries/views/saved-view.ts";
import { Button, ButtonLink } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import type { FilterChoices } from "#app/owner/ui/filter-field.server.tsx";
import { activeFilters } from "#app/owner/ui/filter-labels.ts";
import { counted, formatNumber } from "#app/owner/ui/labels.ts";
import { Paging } from "#app/owner/ui/navigation.server.tsx";
import { Outcome, Page, Problems } from "#app/owner/ui/page.server.tsx";
import type { ListPage } from "#app/waitlist/entries/entries-page.server.ts";

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
