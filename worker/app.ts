import { Hono } from "hono";
import { RouterContextProvider } from "react-router";
import { appContext } from "#app/context.ts";
import { api } from "#worker/api/index.ts";
import { canonical } from "#worker/middleware/canonical.ts";
import { requireConfig } from "#worker/middleware/config.ts";
import { guardFormPosts } from "#worker/middleware/form-posts.ts";
import { readToTheEnd } from "#worker/middleware/read-to-the-end.ts";
import { securityHeaders, tokenPageHeaders } from "#worker/middleware/security-headers.ts";
import type { AppBindings } from "#worker/types.ts";

type RenderPage = (request: Request, context: RouterContextProvider) => Promise<Response>;

/**
 * The front door: headers, configuration, the canonical address, `/api`, then pages.
 *
 * @param renderPage answers whatever is no API call, with the request's {@link appContext} set
 */
export function createApp(renderPage: RenderPage) {
  return (
    new Hono<AppBindings>()
      .use(readToTheEnd)
      // Outermost, so that it has the last word.
      .use("/your-data/*", tokenPageHeaders)
      .use(securityHeaders)
      .use(requireConfig)
      .use(canonical)
      .route("/api", api)
      .use(...guardFormPosts)
      // Every method, or the form's POST would be a 404.
      .all("*", (c) => {
        const context = new RouterContextProvider();
        context.set(appContext, c.var.app);
        return renderPage(c.req.raw, context);
      })
  );
}
