import { findLetter, type Letter } from "#app/email/letters/letters.server.ts";
import { renderDocument } from "#app/owner/ui/document.server.tsx";
import { notFoundView } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

/** The letter of a request's path. */
export async function requireLetter(c: OwnerContext): Promise<Letter | null> {
  return findLetter(c.var.app.db, Number(c.req.param("id")));
}

export function notFound(c: OwnerContext) {
  return c.html(renderDocument(notFoundView()), 404);
}
