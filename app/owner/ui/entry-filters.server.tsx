import { firstPage, type ListState, orders, withListState } from "#app/owner/entries/list-state.ts";
import { DateField, SelectField, TextField } from "#app/owner/ui/filter-fields.server.tsx";
import { activeFilters, filterLabels } from "#app/owner/ui/filter-labels.ts";
import { wordFor } from "#app/ui/word-for.ts";
import { emailFilterOptions } from "#app/waitlist/email-filter.ts";
import { writeEntryFilter } from "#app/waitlist/entry-filter.ts";
import { originColumns } from "#app/waitlist/origin-columns.ts";
import { sourceNames } from "#app/waitlist/sources.ts";

/** Values to choose from, by filter. */
export type FilterChoices = Record<"source" | (typeof originColumns)[number], string[]>;

interface EntryFiltersProps {
  state: ListState;
  choices: FilterChoices;
}

/** The filters in use, each with a link that removes it, and a form with all of them. */
export function EntryFilters({ state, choices }: EntryFiltersProps) {
  return (
    <>
      <ActiveFilters state={state} />
      <details className="owner-filters">
        <summary className="quiet-link">Filter and sort</summary>
        <FilterForm state={state} choices={choices} />
      </details>
    </>
  );
}

function ActiveFilters({ state }: { state: ListState }) {
  const active = activeFilters(state.filter);
  if (active.length === 0) return null;
  const start = firstPage(state);
  return (
    <nav className="owner-chips" aria-label="Filters in use">
      <ul>
        {active.map(({ name, value, text, rest }) => (
          <li key={`${name}=${value}`}>
            <a href={withListState("/owner/entries", { ...start, filter: rest })}>
              <span className="visually-hidden">Remove the filter </span>
              {text}
            </a>
          </li>
        ))}
        {active.length === 1 ? null : (
          <li>
            <a href={withListState("/owner/entries", { ...start, filter: {} })}>Remove all filters</a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function FilterForm({ state, choices }: EntryFiltersProps) {
  const values = writeEntryFilter(state.filter);
  const select = (name: string, options = filterLabels[name]?.values ?? {}) => (
    <SelectField
      name={name}
      label={filterLabels[name]?.label ?? name}
      value={values.get(name) ?? ""}
      options={{ "": "Any", ...options }}
    />
  );
  const source = values.get("source");
  const sources = new Set([...choices.source, ...(source === null ? [] : [source])]);
  return (
    <form className="owner-form" method="get" action="/owner/entries">
      {state.searchKey === undefined ? null : <input type="hidden" name="search" value={state.searchKey} />}
      {select("status")}
      {select("confirmation")}
      {select("role")}
      {select("source", Object.fromEntries(Array.from(sources, (name) => [name, wordFor(sourceNames, name)])))}
      {select("email", emailFilterOptions(values.get("email") ?? ""))}
      {select("disposable")}
      {originColumns.map((name) => (
        <TextField key={name} name={name} value={values.get(name) ?? ""} suggestions={choices[name]} />
      ))}
      <DateField name="from" value={values.get("from") ?? ""} />
      <DateField name="until" value={values.get("until") ?? ""} />
      <SelectField name="order" label="Order" value={state.order} options={orders} />
      <Without chosen={values.getAll("without")} />
      <button className="button" type="submit">
        Apply
      </button>
    </form>
  );
}

function Without({ chosen }: { chosen: string[] }) {
  return (
    <fieldset className="owner-without">
      <legend>Only entries without</legend>
      {originColumns.map((name) => (
        <label key={name}>
          <input type="checkbox" name="without" value={name} defaultChecked={chosen.includes(name)} />
          {filterLabels[name]?.label}
        </label>
      ))}
    </fieldset>
  );
}
