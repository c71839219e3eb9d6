import { createMiddleware } from "hono/factory";
import type { AppBindings } from "#worker/types.ts";

/**
 * Leads to the owner's pages, where there is an owner; without one there is nothing here. They are loaded when they are
 * asked for: nothing of them is in what visitors download, nor in what a Worker reads before its first answer.
 */
export const ownerPages = createMiddleware<AppBindings>(async (c, next) => {
  const { app } = c.var;
  if (app.ownerEmail === null) return next();
  const { pages } = await import("#app/owner/handlers/index.server.ts");
  return pages.fetch(c.req.raw, { app: { ...app, ownerEmail: app.ownerEmail } });
});

/** What the owner sees is in no index, kept by no cache, and told to no other site. */
export const ownerHeaders = createMiddleware<AppBindings>(async (c, next) => {
  await next();
  if (!c.var.app?.ownerEmail) return;
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
  c.header("Referrer-Policy", "same-origin");
});
