import { countAudience } from "#app/email/letters/audience.server.ts";
import { createLetter, type Letter, listLetters, updateLetter } from "#app/email/letters/letters.server.ts";
import { findView, listViews } from "#app/owner/entries/views/saved-views.server.ts";
import { type GivenAudience, leftOut, readAudience, writeAudience } from "#app/owner/letters/audience.ts";
import { type LetterAudienceProps, letterAudienceView } from "#app/owner/letters/audience-view.server.tsx";
import { toLetter } from "#app/owner/letters/letter-request.server.ts";
import { type OwnerContext, parseId } from "#app/owner/ui/owner-context.ts";
import { recentOrigins } from "#app/waitlist/list-entries.server.ts";
import { readNames } from "#app/waitlist/used-names.server.ts";

/** Earlier letters to choose from. */
const LISTED_LETTERS = 100;

/** The saved audience, or what a saved view of the list would make of it. */
export async function showAudience(c: OwnerContext, letter: Letter) {
  if (letter.state !== "draft") return toLetter(c, letter.id);
  const view = await findView(c.var.app.db, parseId(c.req.query("view")) ?? 0);
  const audience = view === null ? letter.audience : { filter: view.filter };
  const values = writeAudience(audience, letter.is_invitation);
  const used = view && { name: view.name, leftOut: leftOut(view.filter) };
  return respond(c, letter, { values, problems: {} }, used);
}

export async function changeAudience(c: OwnerContext, letter: Letter) {
  const { db, now } = c.var.app;
  const { form } = c.var;
  const given = readAudience(form);
  if (Object.keys(given.problems).length > 0) return respond(c, letter, given);
  const changes = { audience: given.audience, is_invitation: given.isInvitation };
  const isSaved = await updateLetter(db, letter.id, changes, now());
  if (!isSaved) return toLetter(c, letter.id, "?done=unchanged");
  return toLetter(c, letter.id, form.get("intent") === "send" ? "/send" : "/audience?done=counted");
}

/** Begins a letter to the people of an audience, such as those who joined through a link. */
export async function addLetterFor(c: OwnerContext) {
  const { db, now } = c.var.app;
  const { audience, problems } = readAudience(c.var.form);
  const isEveryone = Object.keys(audience.filter).length === 0;
  if (isEveryone || Object.keys(problems).length > 0) return c.notFound();
  const id = await createLetter(db, { audience }, now());
  await c.var.record("create-letter", { letterId: id });
  return toLetter(c, id, "?done=addressed");
}

async function respond(
  c: OwnerContext,
  letter: Letter,
  given: Pick<GivenAudience, "values" | "problems">,
  used: LetterAudienceProps["used"] = null,
) {
  const { db, mustConfirm } = c.var.app;
  const [count, names, origins, earlier, views] = await Promise.all([
    countAudience(c.var.app, letter.audience),
    readNames(db, ["source"]),
    recentOrigins(db),
    listLetters(db, { limit: LISTED_LETTERS, states: ["sending", "paused", "stopped", "finished"] }),
    listViews(db),
  ]);
  const choices = { ...origins, ...names };
  if (Object.keys(given.problems).length > 0) c.status(422);
  return c.render(letterAudienceView({ letter, given, count, choices, earlier, mustConfirm, views, used }));
}
