import { firstPage, type ListState, readListState, withListState } from "#app/features/entries/list-state.ts";
import { entriesView, MAX_COUNT, PAGE_SIZE } from "#app/features/entries/list-view.server.tsx";
import { listViews } from "#app/features/entries/views/saved-views.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { readSearch, storeSearch } from "#app/owner/ui/search-cookie.server.ts";
import { listEntries } from "#app/waitlist/entries/entries-page.server.ts";
import { readNames } from "#app/waitlist/entries/used-names.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/entry-conditions.server.ts";
import { countEntries, hasUnconfirmedEntries, recentOrigins } from "#app/waitlist/filter/list-entries.server.ts";

export async function showList(c: OwnerContext) {
  const { db, timeZone, mustConfirm, now } = c.var.app;
  const { state, selection, problems } = readSelection(c);
  const { order, after, before } = state;
  const [found, { source }, origins, views, hasUnconfirmed] = await Promise.all([
    listEntries(db, { ...selection, order, after, before, limit: PAGE_SIZE, now: now() }),
    readNames(db, ["source"]),
    recentOrigins(db),
    listViews(db),
    mustConfirm || hasUnconfirmedEntries(db, now()),
  ]);
  const isWhole = !found.hasPrevious && !found.hasNext;
  const limit = state.countsAll ? undefined : MAX_COUNT + 1;
  const count = isWhole ? found.entries.length : await countEntries(db, selection, limit);
  const { search } = selection;
  const choices = { ...origins, source };
  const shown = { found, count, state, search, problems, choices, timeZone, views, hasUnconfirmed };
  return c.render(entriesView(shown));
}

/** Starts a search in addresses; an empty one ends it. Keeps the filters of the URL. */
export function search(c: OwnerContext) {
  const { state } = readListState(new URL(c.req.url).searchParams);
  const searchKey = storeSearch(c, c.var.form.get("search"));
  return c.redirect(withListState("/owner/entries", { ...firstPage(state), searchKey }), 303);
}

/** The entries that a URL with the list's state selects. Problems are sentences about filters that do not apply. */
export function readSelection(c: OwnerContext): { state: ListState; selection: EntrySelection; problems: string[] } {
  const { state, problems } = readListState(new URL(c.req.url).searchParams);
  const { searchKey } = state;
  const search = searchKey === undefined ? undefined : readSearch(c, searchKey);
  const selection = { ...state.filter, search, timeZone: c.var.app.timeZone };
  if (searchKey === undefined || search !== undefined) return { state, selection, problems };
  const ended = "The search has ended or was replaced by another one. Search again.";
  return { state: { ...state, searchKey: undefined }, selection, problems: [...problems, ended] };
}
