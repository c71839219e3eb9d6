import { parseId } from "#app/owner/ui/owner-context.ts";
import type { ListOrder } from "#app/server/db/schema/saved-views.server.ts";
import {
  activeFilters,
  filterProblem,
  findFilter,
  parseEntryFilter,
  writeEntryFilter,
} from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntryFilter, EntrySelection } from "#app/waitlist/filter/filters.server.ts";
import { listOrders } from "#app/waitlist/filter/list-order.ts";

/** What the URL of the list says. Pages that the list leads to carry it too, and lead back with it. */
export interface ListState {
  filter: EntryFilter;
  order: ListOrder;
  /** Names the search that a cookie holds, so that no address is in a URL. */
  searchKey?: string | undefined;
  /** Id of the entry to continue after, or to go back from. */
  after?: number | undefined;
  before?: number | undefined;
  countsAll?: boolean | undefined;
}

/** Reads the list's state from a URL. `problems` says in words which filters are not valid; those do not filter. */
export function readListState(search: URLSearchParams): { state: ListState; problems: string[] } {
  const { filter, problems } = parseEntryFilter(search);
  const order = (Object.keys(listOrders) as ListOrder[]).find((known) => known === search.get("order")) ?? "newest";
  const state = {
    filter,
    order,
    searchKey: search.get("search") || undefined,
    after: parseId(search.get("after")),
    before: parseId(search.get("before")),
    countsAll: search.get("count") === "all",
  };
  return { state, problems: problems.map(inWords) };
}

/** A problem that names filters as the page does: `until` is “Joined until”. */
function inWords(sentence: string): string {
  const [, name = "", problem = ""] = /^(\w+) (.*)\.$/.exec(sentence) ?? [];
  return `“${findFilter(name)?.label ?? name}” ${filterProblem(name, problem)}.`;
}

/** @param done the outcome of a change, which the page shows */
export function withListState(path: string, state: ListState, done?: string): string {
  const { filter, order, searchKey, after, before, countsAll } = state;
  const search = writeEntryFilter(filter);
  if (order !== "newest") search.set("order", order);
  if (searchKey !== undefined) search.set("search", searchKey);
  if (after !== undefined) search.set("after", String(after));
  if (before !== undefined) search.set("before", String(before));
  if (countsAll) search.set("count", "all");
  if (done !== undefined) search.set("done", done);
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The link above a page that the list leads to. */
export function backToList(state: ListState) {
  return { href: withListState("/owner/entries", state), name: "Back to the list" };
}

export function firstPage({ after: _, before: __, countsAll: ___, ...state }: ListState): ListState {
  return state;
}

/** The search and the filters of a list, in words; empty for the whole list. */
export function describeSelection(filter: EntryFilter, search: string | null | undefined): string[] {
  const filters = activeFilters(filter).map(({ text }) => text);
  return search ? [`Address or note contains: ${search}`, ...filters] : filters;
}

/** What the owners' log says about the entries concerned. It leaves out what was searched for, which can be an address. */
export function selectionDetails(selection: EntrySelection): Record<string, string> {
  const filter = writeEntryFilter(selection).toString();
  return { ...(filter === "" ? {} : { filter }), ...(selection.search ? { search: "yes" } : {}) };
}
