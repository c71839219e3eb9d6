import { linkProblems, readLink, taggedUrl } from "#app/features/links/tagged-link.server.ts";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";

/** The link that some fields describe, with its URL if nothing is wrong with it. */
export function checkLink(c: OwnerContext, fields: URLSearchParams | FormData) {
  const { SITE_URL } = c.var.app.config;
  const link = readLink(fields);
  const problems = linkProblems(link, SITE_URL, c.var.publicPages);
  return { link, problems, url: Object.keys(problems).length === 0 ? taggedUrl(SITE_URL, link) : null };
}
