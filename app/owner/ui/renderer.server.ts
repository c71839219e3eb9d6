import { createMiddleware } from "hono/factory";
import { type OwnerView, renderDocument } from "#app/owner/ui/document.server.tsx";
import { noScriptCsp } from "#app/server/csp.server.ts";

declare module "hono" {
  /** Responds with a page of the owner. The default policy stops injected scripts from running. */
  interface ContextRenderer {
    // biome-ignore lint/style/useShorthandFunctionType: a type would not merge with Hono's interface
    (view: OwnerView, head?: { policy: string }): Response | Promise<Response>;
  }
}

export const renderer = createMiddleware(async (c, next) => {
  c.setRenderer((view, { policy } = { policy: noScriptCsp }) => {
    c.header("Content-Security-Policy", policy);
    return c.html(renderDocument(view));
  });
  await next();
});
