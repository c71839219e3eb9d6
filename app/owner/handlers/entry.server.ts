import { changeEntryAsOwner, ownerIntents } from "#app/owner/change-entry.server.ts";
import { page } from "#app/owner/document.server.tsx";
import { entryWithEmails } from "#app/owner/entries.server.ts";
import { clearSearch } from "#app/owner/handlers/list.server.ts";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { entryView } from "#app/owner/views/entry.server.tsx";
import { nothingHereView } from "#app/owner/views/error-pages.server.tsx";
import { readForm } from "#app/server/read-form.server.ts";

export async function showEntry(c: OwnerContext) {
  const { db, ownerTimeZone: timeZone } = c.env.app;
  const found = await entryWithEmails(db, idOf(c));
  if (found === null) return c.html(page(nothingHereView()), 404);
  return c.html(page(entryView({ ...found, timeZone, done: c.req.query("done") })));
}

/** Redirects when it is done, so that going back or reloading does nothing again. */
export async function changeEntry(c: OwnerContext) {
  const asked = (await readForm(c.req.raw)).get("intent");
  const intent = ownerIntents.find((known) => known === asked);
  if (intent === undefined) return c.html(page(nothingHereView()), 400);
  const change = await changeEntryAsOwner(c.env.app, idOf(c), intent);
  if (intent !== "erase") return c.redirect(`/owner/entries/${idOf(c)}?done=${change}`, 303);
  // The search may have held the address.
  clearSearch(c);
  return c.redirect(`/owner/entries?done=${change}`, 303);
}

function idOf(c: OwnerContext): number {
  return Number(c.req.param("id"));
}
