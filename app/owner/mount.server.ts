import { createMiddleware } from "hono/factory";
import type { AppBindings } from "#worker/types.ts";

/**
 * Serves the owner's pages if an owner is configured. They are imported on demand, so they add nothing to visitors'
 * downloads or to the Worker's start-up time.
 */
export const ownerPages = createMiddleware<AppBindings>(async (c, next) => {
  const { app } = c.var;
  const { ownerEmail } = app.emailContext;
  if (ownerEmail === null) return next();
  const { pages } = await import("#app/owner/handlers/index.server.ts");
  return pages.fetch(c.req.raw, { app: { ...app, ownerEmail } });
});

/** Keeps the owner's pages out of caches, search indexes and other sites' `Referer` headers. */
export const ownerHeaders = createMiddleware<AppBindings>(async (c, next) => {
  await next();
  if (!c.var.app?.emailContext.ownerEmail) return;
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
  c.header("Referrer-Policy", "same-origin");
});
