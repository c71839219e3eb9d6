import { describePause } from "#app/email/pauses.server.ts";
import { findBulkAction } from "#app/features/entries/bulk/bulk-actions.server.ts";
import { changeEntryAsOwner, type OwnerChange, ownerIntents } from "#app/features/entries/change-entry.server.ts";
import { entryView, type RejectedNote } from "#app/features/entries/entry-view.server.tsx";
import { firstPage, type ListState, readListState, withListState } from "#app/features/entries/list-state.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { clearSearch } from "#app/owner/ui/search-cookie.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type Entry, noteOnEntry } from "#app/waitlist/entries/entries.server.ts";
import { parseNote } from "#app/waitlist/entries/note.ts";
import { entryWithEmails, findSuppression } from "#app/waitlist/filter/list-entries.server.ts";

export async function showEntry(c: OwnerContext, rejected?: RejectedNote) {
  const { db, timeZone, now } = c.var.app;
  const [found, pause] = await Promise.all([entryWithEmails(db, entryId(c)), describePause(db, now(), timeZone)]);
  if (found === null) return c.notFound();
  const [suppression, ...parts] = await Promise.all([
    findSuppression(c.var.app, found.entry.email),
    ...c.var.sections.map(({ entryPart }) => entryPart?.(c, found.entry.id)),
  ]);
  const entry = await withKnownAction(db, found.entry);
  const listHref = withListState("/owner/entries", listState(c));
  if (rejected !== undefined) c.status(422);
  return c.render(entryView({ ...found, entry, suppression, parts, timeZone, pause, listHref, rejected }));
}

/** An entry without the number of a bulk action that is so old that it was deleted. */
async function withKnownAction(db: Db, entry: Entry): Promise<Entry> {
  const { bulk_action_id: id } = entry;
  return id === null || (await findBulkAction(db, id)) !== null ? entry : { ...entry, bulk_action_id: null };
}

/** Redirects afterwards, so that reloading does not repeat the change. */
export async function changeEntry(c: OwnerContext) {
  const value = c.var.form.get("intent");
  if (value === "note") return saveNote(c);
  const intent = ownerIntents.find((known) => known === value);
  if (intent === undefined) return badRequest(c);
  const change = await changeEntryAsOwner(c.var.app, entryId(c), intent, c.var.record);
  if (intent !== "erase") return redirectWith(c, `/owner/entries/${entryId(c)}`, listState(c), change);
  // The search cookie may hold the erased address.
  clearSearch(c);
  return redirectWith(c, "/owner/entries", { ...firstPage(listState(c)), searchKey: undefined }, change);
}

async function saveNote(c: OwnerContext) {
  const { note, problem } = parseNote(c.var.form.get("note"));
  if (problem !== undefined) return showEntry(c, { text: note ?? "", problem });
  const isChanged = await noteOnEntry(c.var.app.db, entryId(c), note);
  if (isChanged) await c.var.record("note", { entryId: entryId(c) });
  return redirectWith(c, `/owner/entries/${entryId(c)}`, listState(c), isChanged ? "noted" : "unchanged");
}

function redirectWith(c: OwnerContext, path: string, state: ListState, done: OwnerChange | "noted") {
  const href = withListState(path, state);
  return c.redirect(`${href}${href.includes("?") ? "&" : "?"}done=${done}`, 303);
}

/** What the URL says about the list that led here. */
function listState(c: OwnerContext): ListState {
  return readListState(new URL(c.req.url).searchParams).state;
}

function entryId(c: OwnerContext): number {
  return Number(c.req.param("id"));
}
