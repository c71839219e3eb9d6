import { activeFilters, writeEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntryFilter, EntrySelection } from "#app/waitlist/filter/filters.server.ts";

/** The search and the filters of a list, in words; empty for the whole list. */
export function describeSelection(filter: EntryFilter, search: string | null | undefined): string[] {
  const filters = activeFilters(filter).map(({ text }) => text);
  return search ? [`Address contains: ${search}`, ...filters] : filters;
}

/** What the owners' log says about the entries concerned. It leaves out what was searched for, which can be an address. */
export function selectionDetails(selection: EntrySelection): Record<string, string> {
  const filter = writeEntryFilter(selection).toString();
  return { ...(filter === "" ? {} : { filter }), ...(selection.search ? { search: "yes" } : {}) };
}
