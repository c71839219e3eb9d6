import { firstPage, type ListState, withListState } from "#app/owner/entries/list-state.ts";
import { Button } from "#app/owner/ui/actions.server.tsx";
import { Field } from "#app/owner/ui/field.server.tsx";
import { type FilterChoices, FilterFields } from "#app/owner/ui/filter-field.server.tsx";
import { activeFilters } from "#app/owner/ui/filter-labels.ts";
import { questions } from "#app/site.ts";
import { writeEntryFilter } from "#app/waitlist/entry-filter.ts";
import { listOrders } from "#app/waitlist/list-order.ts";
import { originColumns } from "#app/waitlist/origin-columns.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";

interface EntryFiltersProps {
  state: ListState;
  choices: FilterChoices;
}

/** The filters in use, each with a link that removes it, and a form with all of them. */
export function EntryFilters({ state, choices }: EntryFiltersProps) {
  return (
    <>
      <ActiveFilters state={state} />
      <details className="list-filters">
        <summary className="quiet-link">Filter and sort</summary>
        <FilterForm state={state} choices={choices} />
      </details>
    </>
  );
}

function ActiveFilters({ state }: { state: ListState }) {
  const active = activeFilters(state.filter);
  if (active.length === 0) return null;
  const href = (filter: ListState["filter"]) => withListState("/owner/entries", { ...firstPage(state), filter });
  return (
    <nav className="pills list-chips" aria-label="Filters in use">
      <ul className="row">
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

const filters = [
  "status",
  "confirmation",
  ...questions.map(answerField),
  "source",
  "imported",
  "invited",
  "email",
  "disposable",
  ...originColumns,
  "from",
  "from_time",
  "until",
  "until_time",
];

function FilterForm({ state, choices }: EntryFiltersProps) {
  const values = writeEntryFilter(state.filter);
  return (
    <form className="form" method="get" action="/owner/entries">
      {state.searchKey === undefined ? null : <input type="hidden" name="search" value={state.searchKey} />}
      <FilterFields names={filters} values={values} choices={choices}>
        <Field name="order" label="Order" value={state.order} options={listOrders} />
      </FilterFields>
      <Button label="Apply" />
    </form>
  );
}
