import { describeHold, readHold } from "#app/email/holds.server.ts";
import { changeEntryAsOwner, ownerIntents } from "#app/owner/change-entry.server.ts";
import { renderDocument } from "#app/owner/document.server.tsx";
import { entryWithEmails, findSuppression } from "#app/owner/entries.server.ts";
import { clearSearch } from "#app/owner/handlers/list.server.ts";
import type { OwnerContext } from "#app/owner/handlers/types.ts";
import { entryView } from "#app/owner/views/entry.server.tsx";
import { notFoundView } from "#app/owner/views/error-pages.server.tsx";
import { readForm } from "#app/server/read-form.server.ts";

export async function showEntry(c: OwnerContext) {
  const { db, emailContext, now } = c.env.app;
  const timeZone = emailContext.ownerTimeZone;
  const [found, held] = await Promise.all([entryWithEmails(db, entryId(c)), readHold(db, now())]);
  if (found === null) return c.html(renderDocument(notFoundView()), 404);
  const suppression = await findSuppression(c.env.app, found.entry.email);
  const hold = held === null ? null : describeHold(held, now(), timeZone);
  return c.html(renderDocument(entryView({ ...found, suppression, timeZone, hold, done: c.req.query("done") })));
}

/** Redirects afterwards, so that reloading does not repeat the change. */
export async function changeEntry(c: OwnerContext) {
  const value = (await readForm(c.req.raw)).get("intent");
  const intent = ownerIntents.find((known) => known === value);
  if (intent === undefined) return c.html(renderDocument(notFoundView()), 400);
  const change = await changeEntryAsOwner(c.env.app, entryId(c), intent, c.var.owner.email);
  if (intent !== "erase") return c.redirect(`/owner/entries/${entryId(c)}?done=${change}`, 303);
  // The search cookie may hold the erased address.
  clearSearch(c);
  return c.redirect(`/owner/entries?done=${change}`, 303);
}

function entryId(c: OwnerContext): number {
  return Number(c.req.param("id"));
}
