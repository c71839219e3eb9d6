import { chipFilter } from "#app/features/entries/list-chips.server.tsx";
import { firstPage, type ListState, withListState } from "#app/features/entries/list-state.ts";
import { isSameView, type SavedView } from "#app/features/entries/views/saved-view.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { type FilterChoices, FilterFields } from "#app/owner/ui/filter-field.server.tsx";
import { activeFilters, writeEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import { filters } from "#app/waitlist/filter/filters.server.ts";
import { listOrders } from "#app/waitlist/filter/list-order.ts";

interface EntryFiltersProps {
  state: ListState;
  choices: FilterChoices;
  /** Of the filter by import. */
  imported: [value: string, text: string][];
  views: SavedView[];
}

export function EntryFilters({ state, choices, imported, views }: EntryFiltersProps) {
  return (
    <>
      <ActiveFilters state={state} imported={imported} />
      <div className="row top">
        <details className="list-filters">
          <summary className="quiet-link">Filter and sort</summary>
          <FilterForm state={state} choices={choices} imported={imported} />
        </details>
        <ViewsLink state={state} views={views} />
      </div>
    </>
  );
}

function ViewsLink({ state, views }: Pick<EntryFiltersProps, "state" | "views">) {
  const { filter, order } = state;
  const href = withListState("/owner/entries/views", { filter, order });
  const isNew = href.includes("?") && !views.some((view) => isSameView(view, state));
  if (!isNew && views.length === 0) return null;
  return (
    <a className="quiet-link" href={href}>
      {isNew ? "Save this view" : "Saved views"}
    </a>
  );
}

function ActiveFilters({ state, imported }: Pick<EntryFiltersProps, "state" | "imported">) {
  const ofChip = chipFilter(state.filter);
  const active = activeFilters(state.filter, { imported: Object.fromEntries(imported) }).filter(
    ({ name }) => name !== ofChip,
  );
  if (active.length === 0) return null;
  const href = (filter: ListState["filter"]) => withListState("/owner/entries", { ...firstPage(state), filter });
  return (
    <nav className="pills list-chips" aria-label="Filters in use">
      <ul className="bare-list row">
        {active.map(({ name, value, text, rest }) => (
          <li key={`${name}=${value}`}>
            <a href={href(rest)}>
              <span className="visually-hidden">Remove the filter </span>
              {text}
            </a>
          </li>
        ))}
        {active.length === 1 ? null : (
          <li>
            <a href={href({})}>Remove all filters</a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function FilterForm({ state, choices, imported }: Omit<EntryFiltersProps, "views">) {
  const values = writeEntryFilter(state.filter);
  return (
    <form className="form form-wide flush" method="get" action="/owner/entries">
      {state.searchKey === undefined ? null : <input type="hidden" name="search" value={state.searchKey} />}
      <FilterFields
        filters={filters().filter(({ offeredIn }) => offeredIn !== "no form")}
        values={values}
        choices={choices}
        options={{ imported }}
      >
        <Field name="order" label="Order" value={state.order} options={listOrders} />
      </FilterFields>
      <Button label="Apply" />
    </form>
  );
}
