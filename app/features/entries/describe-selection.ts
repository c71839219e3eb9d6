import { activeFilters } from "#app/owner/ui/filter-labels.ts";
import type { EntryFilter } from "#app/server/db/schema/entry-filter.ts";
import type { EntrySelection } from "#app/waitlist/filter/entry-conditions.server.ts";
import { writeEntryFilter } from "#app/waitlist/filter/entry-filter.ts";

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
