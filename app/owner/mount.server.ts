import type { Hono, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { createOwnerPages } from "#app/owner/routes.server.ts";
import type { OwnerBindings, OwnerSection } from "#app/owner/ui/owner-context.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import type { PageRecord } from "#app/server/page-record.ts";

/** Serves the owner's pages if an owner is configured. */
export function ownerPages(
  setApp: MiddlewareHandler,
  publicPages: readonly PageRecord[],
  sections: readonly OwnerSection[],
) {
  let created: Hono<OwnerBindings> | undefined;
  return createMiddleware<AppBindings>(async (c, next) => {
    if (c.var.app.emailContext.ownerEmails.length === 0) return next();
    created ??= createOwnerPages(setApp, publicPages, sections);
    return created.fetch(c.req.raw, c.env, c.executionCtx);
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
