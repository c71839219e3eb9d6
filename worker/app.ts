import { type Context, Hono } from "hono";
import { ownerHeaders, ownerPages } from "#app/owner/routes.server.ts";
import { pages } from "#app/pages.server.ts";
import { respondUnavailable } from "#app/server/http/api-error.server.ts";
import type { AppBindings, RenderPage } from "#app/server/http/bindings.ts";
import { newErrorReference } from "#app/server/http/error-reference.ts";
import { formGuards, oneClickPost } from "#app/server/http/guards.server.ts";
import { logError } from "#app/server/log.ts";
import { failureMessage } from "#app/waitlist/sign-up/messages.ts";
import { api } from "#worker/api/index.ts";
import { parts } from "#worker/features.ts";
import { canonical } from "#worker/middleware/canonical.ts";
import { drainBody } from "#worker/middleware/drain-body.ts";
import { onPage } from "#worker/middleware/on-page.ts";
import { pageCache } from "#worker/middleware/page-cache.ts";
import { cspHeaders, securityHeaders, tokenPageHeaders } from "#worker/middleware/security-headers.ts";
import { setApp } from "#worker/middleware/set-app.ts";

/** @param renderPage handles every request that is not for the API or the owner's pages */
export function createApp(renderPage: RenderPage) {
  const app = new Hono<AppBindings>()
    .get("*", onPage, pageCache)
    .use(drainBody)
    // Before securityHeaders, to override its headers.
    .use("/your-data/*", tokenPageHeaders)
    .use("/unsubscribe/*", tokenPageHeaders)
    .use("/confirm/*", tokenPageHeaders)
    .use("/owner/*", ownerHeaders);
  for (const { headers } of parts) if (headers) app.use(headers.path, headers.middleware);
  app.use(securityHeaders).use(cspHeaders).use(setApp).use(canonical);
  for (const { mount } of parts) mount?.(app, renderPage);
  return (
    app
      .route("/api", api)
      .all("/owner/*", ownerPages(setApp, pages, ownerSections))
      .post("/unsubscribe/:token/one-click", ...oneClickPost(renderPage))
      .use(...formGuards(renderPage))
      // All methods, for the POSTs of forms.
      .all("*", (c) => renderPage(c))
      .onError((error, c) => (c.req.path.startsWith("/api/") ? respondApiFailed(error, c) : respondFailed(error, c)))
  );
}

const ownerSections = parts.flatMap(({ sections = [] }) => sections);

/** For the whole API. With an `onError` of the API's own, Hono would wrap every one of its handlers. */
const respondApiFailed = respondUnavailable(failureMessage);

/** The response to errors that nothing else handles. Hono's own handler would log the error as it is. */
function respondFailed(error: Error, c: Context<AppBindings>): Response {
  const reference = newErrorReference();
  logError("request-failed", error, { reference, method: c.req.method });
  return c.text(`Something went wrong here. Please try again later. Error ${reference}\n`, 500, {
    "Cache-Control": "no-store",
  });
}
