import { Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { limitOwnerForm, parseForm, refuseOtherSites, requireSession } from "#app/owner/sign-in/guards.server.tsx";
import { signInSection } from "#app/owner/sign-in/section.server.ts";
import { errorView, notFoundView, quotaView } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerBindings, OwnerSection } from "#app/owner/ui/owner-context.ts";
import { renderer } from "#app/owner/ui/renderer.server.tsx";
import { versionsSection } from "#app/owner/versions/versions-page.server.tsx";
import { quotaMessage } from "#app/server/db/daily-quota.server.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { newErrorReference } from "#app/server/http/failure.server.ts";
import { MAX_BODY_BYTES } from "#app/server/http/request-guards.ts";
import { logError } from "#app/server/log.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
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
  // The script of the writing pages has its own.
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
  c.header("Referrer-Policy", "same-origin");
  // The frames of a letter's preview, also in browsers that prefer this header to the policy.
  const policy = c.res.headers.get("Content-Security-Policy");
  if (policy?.includes("frame-ancestors 'self'")) c.header("X-Frame-Options", "SAMEORIGIN");
});

/**
 * The owner's pages: HTML documents rendered on the server, without the React app.
 *
 * @param publicPages the pages that links of the owner may lead to
 * @param ofFeatures their sections, in the order of the navigation. Each lists its URLs
 */
export function createOwnerPages(
  setApp: MiddlewareHandler,
  publicPages: readonly PageRecord[],
  ofFeatures: readonly OwnerSection[],
) {
  const sections = [signInSection, versionsSection, ...ofFeatures];
  const pages = new Hono<OwnerBindings>().basePath("/owner").use(renderer(sections), setApp, async (c, next) => {
    const { app } = c.var;
    const { ownerEmails, ownerTimeZone: timeZone } = app.emailContext;
    c.set("app", { ...app, owners: await identifyOwners(ownerEmails), timeZone });
    c.set("publicPages", publicPages);
    c.set("sections", sections);
    return next();
  });
  pages.use(refuseOtherSites);
  for (const { method, path, handler, guard, maxBody = MAX_BODY_BYTES, tooLarge } of sections.flatMap(
    ({ routes }) => routes,
  )) {
    pages.on(
      method,
      [path.replace(":id", ":id{[0-9]{1,15}}")],
      ...(guard === "none" ? [] : [requireSession(maxBody)]),
      ...(method === "get" ? [] : [limitOwnerForm(maxBody, tooLarge), parseForm]),
      handler,
    );
  }
  // Only an owner learns what does not exist.
  pages.use(requireSession(MAX_BODY_BYTES)).notFound((c) => {
    c.status(404);
    return c.render(notFoundView());
  });
  return pages.onError((error, c) => {
    const reference = newErrorReference();
    // Omits the path, which may hold a sign-in token.
    logError("owner-page-failed", error, { reference, method: c.req.method });
    c.status(503);
    const isRefused = findQuotaError(error) !== null;
    return c.render(isRefused ? quotaView(quotaMessage(c.var.app.now())) : errorView(reference));
  });
}
