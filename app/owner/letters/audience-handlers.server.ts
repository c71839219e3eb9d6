import { countAudience } from "#app/email/letters/audience.server.ts";
import { type Letter, listLetters, updateLetter } from "#app/email/letters/letters.server.ts";
import { letterAudienceView } from "#app/owner/letters/audience-view.server.tsx";
import { notFound, requireLetter } from "#app/owner/letters/letter-request.server.ts";
import { type GivenAudience, readAudience, writeAudience } from "#app/owner/letters/read-audience.ts";
import { readNames } from "#app/owner/overview/stats.server.ts";
import { renderDocument } from "#app/owner/ui/document.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { readForm } from "#app/server/read-form.server.ts";
import { recentOrigins } from "#app/waitlist/list-entries.server.ts";

/** Earlier letters to choose from. */
const LISTED_LETTERS = 100;

export async function showAudience(c: OwnerContext) {
  const letter = await requireLetter(c);
  if (letter === null) return notFound(c);
  if (letter.state !== "draft") return c.redirect(`/owner/letters/${letter.id}`, 303);
  const values = writeAudience(letter.audience, letter.is_invitation);
  return respond(c, letter, { values, problems: {} });
}

export async function changeAudience(c: OwnerContext) {
  const letter = await requireLetter(c);
  if (letter === null) return notFound(c);
  const { db, now } = c.var.app;
  const form = await readForm(c.req.raw);
  const given = readAudience(form);
  if (Object.keys(given.problems).length > 0) return respond(c, letter, given);
  const changes = { audience: given.audience, is_invitation: given.isInvitation };
  const isSaved = await updateLetter(db, letter.id, changes, now());
  if (!isSaved) return c.redirect(`/owner/letters/${letter.id}?done=unchanged`, 303);
  const path = form.get("intent") === "send" ? "send" : "audience?done=counted";
  return c.redirect(`/owner/letters/${letter.id}/${path}`, 303);
}

async function respond(c: OwnerContext, letter: Letter, given: Pick<GivenAudience, "values" | "problems">) {
  const { db, emailContext, now, mustConfirm } = c.var.app;
  const deps = { db, timeZone: emailContext.ownerTimeZone, now };
  const [count, names, origins, earlier] = await Promise.all([
    countAudience(deps, letter.audience),
    readNames(db, ["source"]),
    recentOrigins(db),
    listLetters(db, { limit: LISTED_LETTERS, states: ["sending", "paused", "stopped", "finished"] }),
  ]);
  const choices = { ...origins, ...names };
  const view = letterAudienceView({ letter, given, count, choices, earlier, mustConfirm, done: c.req.query("done") });
  return c.html(renderDocument(view), Object.keys(given.problems).length > 0 ? 422 : 200);
}
