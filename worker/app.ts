import { Hono } from "hono";
import { ownerHeaders, ownerPages } from "#app/owner/mount.server.ts";
import { api } from "#worker/api/index.ts";
import { canonical } from "#worker/middleware/canonical.ts";
import { requireConfig } from "#worker/middleware/config.ts";
import { drainBody } from "#worker/middleware/drain-body.ts";
import { formGuards } from "#worker/middleware/form-guards.ts";
import { pageCache } from "#worker/middleware/page-cache.ts";
import { cspHeaders, securityHeaders, tokenPageHeaders } from "#worker/middleware/security-headers.ts";
import { type RenderPage, routerContext } from "#worker/render-page.ts";
import type { AppBindings } from "#worker/types.ts";

/**
 * The front door: pages that are kept, headers, configuration, the canonical address, `/api`, the owner's pages, then
 * pages.
 *
 * @param renderPage answers whatever is no API call, with the request's context set
 */
export function createApp(renderPage: RenderPage) {
  return (
    new Hono<AppBindings>()
      .use(pageCache)
      .use(drainBody)
      // Outermost, so that it has the last word.
      .use("/your-data/*", tokenPageHeaders)
      .use("/owner/*", ownerHeaders)
      .use(securityHeaders)
      .use(cspHeaders)
      .use(requireConfig)
      .use(canonical)
      .route("/api", api)
      .all("/owner/*", ownerPages)
      .use(...formGuards(renderPage))
      // Every method, or the form's POST would be a 404.
      .all("*", (c) => renderPage(c.req.raw, routerContext(c.var.app)))
  );
}
