import { type ListState, readListState, withListState } from "#app/features/entries/list-state.ts";
import type { ListOrder } from "#app/server/db/schema/saved-views.server.ts";
import { activeFilters, writeEntryFilter } from "#app/waitlist/filter/entry-filter.server.ts";
import type { EntryFilter } from "#app/waitlist/filter/filters.server.ts";
import { listOrders } from "#app/waitlist/filter/list-order.ts";

export interface SavedView {
  id: number;
  name: string;
  filter: EntryFilter;
  order: ListOrder;
}

/** As many as fit above the list. */
export const MAX_VIEWS = 20;

export const MAX_NAME_LENGTH = 50;

export function readViewName(typed: unknown): { name: string; problem?: string } {
  const text = typeof typed === "string" ? typed : "";
  const name = text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  if (name === "") return { name, problem: "Give the view a name." };
  if (name.length > MAX_NAME_LENGTH) return { name, problem: `Use at most ${MAX_NAME_LENGTH} characters.` };
  return { name };
}

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

export function describeView({ filter, order }: Pick<SavedView, "filter" | "order">): string {
  return [...activeFilters(filter).map(({ text }) => text), listOrders[order]].join("; ");
}

/** Sentences about filters of a view that no longer exist. */
export function viewProblems({ filter }: SavedView): string[] {
  return readListState(writeEntryFilter(filter)).problems;
}

export function viewOptions(views: SavedView[]): Record<string, string> {
  return Object.fromEntries(views.map(({ id, name }) => [`${id}`, name]));
}
