import { type ListState, withListState } from "#app/features/entries/list-state.ts";
import type { ListOrder } from "#app/server/db/schema/saved-views.server.ts";
import { writeEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntryFilter } from "#app/waitlist/filter/filters.server.ts";

export interface SavedView {
  id: number;
  name: string;
  filter: EntryFilter;
  order: ListOrder;
}

/** As many as fit above the list. */
export const MAX_VIEWS = 20;

/**
 * The list with a view. Filters that no longer exist, such as answers to a question that is no longer asked, stay in the
 * URL: the list says that they do not apply.
 */
export function viewHref({ filter, order }: SavedView, path = "/owner/entries"): string {
  return withListState(path, { filter, order });
}

export function isSameView(view: SavedView, { filter, order }: ListState): boolean {
  return order === view.order && writeEntryFilter(filter).toString() === writeEntryFilter(view.filter).toString();
}
