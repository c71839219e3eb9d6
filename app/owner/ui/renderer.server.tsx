import { createMiddleware } from "hono/factory";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Done } from "#app/owner/ui/page.server.tsx";
import { noScriptCsp } from "#app/server/csp.server.ts";

declare module "hono" {
  /** Responds with a page of the owner. The default policy stops injected scripts from running. */
  interface ContextRenderer {
    // biome-ignore lint/style/useShorthandFunctionType: a type would not merge with Hono's interface
    (page: ReactElement, head?: { policy: string }): Response | Promise<Response>;
  }
}

export const renderer = createMiddleware(async (c, next) => {
  c.setRenderer((page, { policy } = { policy: noScriptCsp }) => {
    c.header("Content-Security-Policy", policy);
    return c.html(renderPage(<Done value={c.req.query("done")}>{page}</Done>));
  });
  await next();
});

export function renderPage(page: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}
