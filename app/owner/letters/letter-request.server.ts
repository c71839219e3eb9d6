import { findLetter, type Letter } from "#app/email/letters/letters.server.ts";
import type { OwnerContext, OwnerHandler } from "#app/owner/ui/owner-context.ts";

/** Handles requests with the letter that their path names. */
export function withLetter(handle: (c: OwnerContext, letter: Letter) => ReturnType<OwnerHandler>): OwnerHandler {
  return async (c) => {
    const letter = await findLetter(c.var.app.db, Number(c.req.param("id")));
    return letter === null ? c.notFound() : handle(c, letter);
  };
}

/** Leads to a letter. @param rest a step of its draft, or the outcome of a change */
export function toLetter(c: OwnerContext, id: number, rest = "") {
  return c.redirect(`/owner/letters/${id}${rest}`, 303);
}
