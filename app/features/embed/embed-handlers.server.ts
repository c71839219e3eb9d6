import { type EmbedState, embedView } from "#app/features/embed/embed-view.server.tsx";
import { allowOrigin, listOrigins, MAX_ORIGINS, removeOrigin } from "#app/features/embed/origins.server.ts";
import { readOrigin } from "#app/features/embed/read-origin.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { fieldText } from "#app/server/read-form.server.ts";
import { EMBED_SOURCE, toSource } from "#app/waitlist/entries/sources.ts";
import { wordingFor } from "#app/waitlist/sign-up/consent-wording.ts";
import { readHasFollowUps } from "#app/waitlist/sign-up/shown-wording.server.ts";

export function showEmbed(c: OwnerContext) {
  return respond(c);
}

/** Allows forms of one more site. */
export async function addOrigin(c: OwnerContext) {
  const { db, now, config } = c.var.app;
  const typed = fieldText(c.var.form, "site");
  const read = readOrigin(typed, config.SITE_URL);
  if ("problem" in read) return respond(c, { typed, problem: read.problem });
  if (!(await allowOrigin(db, read.origin, now()))) {
    const isListed = (await listOrigins(db)).some(({ origin }) => origin === read.origin);
    if (isListed) return c.redirect("/owner/embed?done=unchanged", 303);
    return respond(c, { typed, problem: `You can allow ${MAX_ORIGINS} sites. Remove one first.` });
  }
  await c.var.record("allow-origin", { site: read.origin });
  return c.redirect("/owner/embed?done=allow-origin", 303);
}

/** Forms of this site are refused from now on. */
export async function deleteOrigin(c: OwnerContext) {
  const origin = fieldText(c.var.form, "origin");
  const isRemoved = await removeOrigin(c.var.app.db, origin);
  if (isRemoved) await c.var.record("remove-origin", { site: origin });
  return c.redirect(`/owner/embed?done=${isRemoved ? "remove-origin" : "unchanged"}`, 303);
}

async function respond(c: OwnerContext, refused?: EmbedState["refused"]) {
  const { db, config } = c.var.app;
  const wording = wordingFor(await readHasFollowUps(c.var.app));
  const typedSource = c.req.query("source")?.trim() ?? EMBED_SOURCE;
  const source = toSource(typedSource);
  if (refused !== undefined || source === null) c.status(422);
  const origins = await listOrigins(db);
  return c.render(embedView({ origins, refused, typedSource, source, siteUrl: config.SITE_URL, wording }));
}
