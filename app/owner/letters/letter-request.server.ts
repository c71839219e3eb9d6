import { findLetter, type Letter } from "#app/email/letters/letters.server.ts";
import { letterRefusal } from "#app/email/letters/sending-limits.ts";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";

/** Handles requests with the letter that their path names. */
export function withLetter(handle: (c: OwnerContext, letter: Letter) => ReturnType<OwnerHandler>): OwnerHandler {
  return async (c) => {
    const letter = await findLetter(c.var.app.db, Number(c.req.param("id")));
    if (letter === null) return c.notFound();
    // A step of the series: its own page is about all that was sent as it.
    return letter.step_id === null ? handle(c, letter) : c.redirect(`/owner/series/${letter.step_id}`, 303);
  };
}

/** Leads to a letter. @param rest a step of its draft, or the outcome of a change */
export function toLetter(c: OwnerContext, id: number, rest = "") {
  return c.redirect(`/owner/letters/${id}${rest}`, 303);
}

/** Why letters cannot be sent here, in a sentence; null if they can. */
export function obstacleOf({ var: { app } }: OwnerContext): string | null {
  return letterRefusal({ ...app, siteUrl: app.config.SITE_URL });
}
