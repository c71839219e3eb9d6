import { createMiddleware } from "hono/factory";
import { identifyOwners } from "#app/server/owners.server.ts";
import type { PageRecord } from "#app/ui/page-record.ts";
import type { AppBindings } from "#worker/types.ts";

/**
 * Serves the owner's pages if an owner is configured. They are imported on demand, so they add nothing to visitors'
 * downloads or to the Worker's start-up time.
 *
 * @param publicPages the pages that links of the owner may lead to
 */
export function ownerPages(publicPages: readonly PageRecord[]) {
  return createMiddleware<AppBindings>(async (c, next) => {
    const { app } = c.var;
    const { ownerEmails } = app.emailContext;
    if (ownerEmails.length === 0) return next();
    const owners = await identifyOwners(ownerEmails);
    const { pages } = await import("#app/owner/routes.server.ts");
    return pages.fetch(c.req.raw, { app: { ...app, owners }, publicPages });
  });
}

/** Keeps the owner's pages out of caches, search indexes and other sites' `Referer` headers. */
export const ownerHeaders = createMiddleware<AppBindings>(async (c, next) => {
  await next();
  if (!c.var.app?.emailContext.ownerEmails.length) return;
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
  c.header("Referrer-Policy", "same-origin");
  // The frames of a letter's preview, also in browsers that prefer this header to the policy.
  const policy = c.res.headers.get("Content-Security-Policy");
  if (policy?.includes("frame-ancestors 'self'")) c.header("X-Frame-Options", "SAMEORIGIN");
});
