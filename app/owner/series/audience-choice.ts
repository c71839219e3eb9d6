import type { SavedView } from "#app/owner/entries/views/saved-view.ts";
import { leftOut } from "#app/owner/letters/audience.ts";
import type { StepAudience } from "#app/server/db/schema/series.server.ts";
import { parseEntryFilter, writeEntryFilter } from "#app/waitlist/entry-filter.ts";

/** The choice that keeps a step's audience: a copy of a view, which may have changed or be gone. */
export const KEPT = "kept";

/** Saved views that a step can be for: those whose filters work for letters. */
export function usableViews(views: SavedView[]): SavedView[] {
  return views.filter(({ filter }) => leftOut(filter).length === 0);
}

/** Whom a step can be for, by the value of the choice. Numbers would be sorted in an object. */
export function audienceOptions(views: SavedView[], kept: StepAudience | null): [value: string, text: string][] {
  return [
    ["", "Everyone"],
    ...(kept === null ? [] : [[KEPT, `View “${kept.name}”, as it was when you chose it`] as [string, string]]),
    ...usableViews(views).map(({ id, name }): [string, string] => [`${id}`, `View “${name}”`]),
  ];
}

/** What a choice means; undefined if there is no such view. */
export function readAudienceChoice(
  chosen: string,
  views: SavedView[],
  kept: StepAudience | null,
): StepAudience | null | undefined {
  if (chosen === "") return null;
  if (chosen === KEPT) return kept ?? undefined;
  const view = usableViews(views).find(({ id }) => `${id}` === chosen);
  return view && { name: view.name, filter: withoutStatus(view) };
}

/** People who may get email are always meant. */
function withoutStatus({ filter }: SavedView) {
  const search = writeEntryFilter(filter);
  search.delete("status");
  return parseEntryFilter(search).filter;
}
