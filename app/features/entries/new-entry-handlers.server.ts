import { sendEmail } from "#app/email/sender.server.ts";
import { newEntryView } from "#app/features/entries/new-entry-view.server.tsx";
import { readNewEntry, type TypedEntry } from "#app/features/entries/read-new-entry.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { logInfo } from "#app/server/log.ts";
import { type AddedByHand, addByHand } from "#app/waitlist/entries/add-by-hand.server.ts";
import { sourceNames } from "#app/waitlist/entries/sources.ts";
import { readNames } from "#app/waitlist/entries/used-names.server.ts";

export function showNewEntry(c: OwnerContext) {
  return respond(c, { values: {}, problems: {} }, null);
}

/** Adds a person, and sends their email if the owner asked for it; if that fails, the cron job tries again. */
export async function addNewEntry(c: OwnerContext) {
  const { app, form } = c.var;
  const { person, ...typed } = readNewEntry(form, { timeZone: app.timeZone, now: app.now() });
  if (person === null) {
    c.status(422);
    return respond(c, typed, null);
  }
  const added = await addByHand(app, person);
  if (added.kind !== "added") {
    c.status(409);
    return respond(c, typed, added);
  }
  const { id } = added;
  await c.var.record("add-entry", { entryId: id });
  logInfo("entry-added-by-owner", { entryId: id });
  const sent = person.sendsEmail ? await sendEmail(app, { email: person.email }) : null;
  const done = sent === null ? "added-quietly" : sent === "done" ? "added" : "added-unsent";
  return c.redirect(`/owner/entries/${id}?done=${done}`, 303);
}

async function respond(c: OwnerContext, typed: TypedEntry, refusal: Exclude<AddedByHand, { kind: "added" }> | null) {
  const { db, mustConfirm, mailer, timeZone } = c.var.app;
  const { source } = await readNames(db, ["source"]);
  const sources = source.filter((name) => !Object.hasOwn(sourceNames, name));
  const context = { sources, mustConfirm, hasSender: mailer !== null, timeZone };
  return c.render(newEntryView({ ...typed, refusal, ...context }));
}
