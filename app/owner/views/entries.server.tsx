import type { OwnerView } from "#app/owner/document.server.tsx";
import { emailFilterOptions } from "#app/owner/email-filter.ts";
import type { ListOrder, ListPage } from "#app/owner/entries.server.ts";
import { EntryTable } from "#app/owner/views/entry-table.server.tsx";
import { flashMessage } from "#app/owner/views/flash-messages.ts";
import type { EntryStatus } from "#app/server/db/schema.server.ts";
import { type Confirmation, confirmations } from "#app/waitlist/confirmation.ts";

/** Entries per page. */
export const PAGE_SIZE = 25;

export const orders: Record<ListOrder, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  address: "Addresses A to Z",
  "address-down": "Addresses Z to A",
};

export const statuses: Record<EntryStatus, string> = { active: "Active", unsubscribed: "Unsubscribed" };

/** Order and filters of the list; an empty string means no filter. */
export interface ListState {
  order: ListOrder;
  status: EntryStatus | "";
  confirmation: Confirmation | "";
  source: string;
  /** See `emailFilterValue`. */
  email: string;
  disposable: "yes" | "no" | "";
  search: string;
}

export interface EntriesProps {
  found: ListPage;
  state: ListState;
  /** Sources to choose from. */
  sources: string[];
  timeZone: string;
  /** The outcome of the change just made. */
  done: string | undefined;
}

export function entriesView({ found, state, sources, timeZone, done }: EntriesProps): OwnerView {
  const message = flashMessage(done);
  return {
    title: "Entries",
    section: "entries",
    body: (
      <main id="main" className="page owner">
        <div className="owner-head">
          <h1>Entries</h1>
          <a className="button button-quiet" href="/owner/export.csv">
            Export all as CSV
          </a>
        </div>
        {message === null ? null : (
          <p className="owner-answer" role="status">
            {message}
          </p>
        )}
        <div className="owner-tools">
          <Search search={state.search} />
          <Filters state={state} sources={sources} />
        </div>
        <EntryTable entries={found.entries} timeZone={timeZone} />
        <Paging found={found} state={state} />
      </main>
    ),
  };
}

/** Uses POST, which keeps addresses out of URLs. */
function Search({ search }: { search: string }) {
  return (
    <search>
      <form className="owner-form owner-search" method="post" action="/owner/entries">
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
      {search === "" ? null : (
        <form className="owner-searched" method="post" action="/owner/entries">
          <p>
            Addresses that contain <strong>{search}</strong>, in alphabetical order.
          </p>
          <button className="button button-quiet" name="search" value="" type="submit">
            Clear search
          </button>
        </form>
      )}
    </search>
  );
}

function Filters({ state, sources }: { state: ListState; sources: string[] }) {
  const options = sources.includes(state.source) || state.source === "" ? sources : [...sources, state.source];
  return (
    <form className="owner-form owner-filters" method="get" action="/owner/entries">
      <SelectField name="status" label="Status" value={state.status} options={{ "": "Any", ...statuses }} />
      <SelectField
        name="confirmation"
        label="Confirmed"
        value={state.confirmation}
        options={{ "": "Any", ...confirmations }}
      />
      <SelectField
        name="source"
        label="Source"
        value={state.source}
        options={{ "": "Any", ...Object.fromEntries(options.map((source) => [source, source])) }}
      />
      <SelectField
        name="email"
        label="Email"
        value={state.email}
        options={{ "": "Any", ...emailFilterOptions(state.email) }}
      />
      <SelectField
        name="disposable"
        label="Throw-away address"
        value={state.disposable}
        options={{ "": "Any", yes: "Yes", no: "No" }}
      />
      <SelectField name="order" label="Order" value={state.order} options={orders} />
      <button className="button button-quiet" type="submit">
        Apply
      </button>
    </form>
  );
}

interface SelectFieldProps {
  name: string;
  label: string;
  value: string;
  options: Record<string, string>;
}

function SelectField({ name, label, value, options }: SelectFieldProps) {
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <select id={name} name={name} defaultValue={value}>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Paging({ found: { entries, hasPrevious, hasNext }, state }: { found: ListPage; state: ListState }) {
  const [first, last] = [entries[0], entries.at(-1)];
  if (!hasPrevious && !hasNext) return null;
  return (
    <nav className="owner-paging" aria-label="Pages">
      {hasPrevious ? <a href={pageHref(state, {})}>First page</a> : null}
      {hasPrevious && first ? <a href={pageHref(state, { before: first.id })}>Previous</a> : null}
      {hasNext && last ? <a href={pageHref(state, { after: last.id })}>Next</a> : null}
    </nav>
  );
}

/** The cursor is an entry's id, which keeps addresses out of URLs. */
function pageHref(
  { order, status, confirmation, source, email, disposable }: ListState,
  cursor: { before?: number; after?: number },
): string {
  const search = new URLSearchParams();
  if (order !== "newest") search.set("order", order);
  if (status !== "") search.set("status", status);
  if (confirmation !== "") search.set("confirmation", confirmation);
  if (source !== "") search.set("source", source);
  if (email !== "") search.set("email", email);
  if (disposable !== "") search.set("disposable", disposable);
  for (const [name, id] of Object.entries(cursor)) search.set(name, String(id));
  return search.size === 0 ? "/owner/entries" : `/owner/entries?${search}`;
}
