import { Hono } from "hono";
import { api } from "#worker/api/index.ts";
import { canonical } from "#worker/middleware/canonical.ts";
import { requireConfig } from "#worker/middleware/config.ts";
import { guardFormPosts } from "#worker/middleware/form-posts.ts";
import { keptPages } from "#worker/middleware/kept-pages.ts";
import { readToTheEnd } from "#worker/middleware/read-to-the-end.ts";
import { contentPolicy, securityHeaders, tokenPageHeaders } from "#worker/middleware/security-headers.ts";
import { ownerHeaders, ownerPages } from "#worker/owner/door.ts";
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
      .use(keptPages)
      .use(readToTheEnd)
      // Outermost, so that it has the last word.
      .use("/your-data/*", tokenPageHeaders)
      .use("/owner/*", ownerHeaders)
      .use(securityHeaders)
      .use(contentPolicy)
      .use(requireConfig)
      .use(canonical)
      .route("/api", api)
      .all("/owner/*", ownerPages)
      .use(...guardFormPosts(renderPage))
      // Every method, or the form's POST would be a 404.
      .all("*", (c) => renderPage(c.req.raw, routerContext(c.var.app)))
  );
}
