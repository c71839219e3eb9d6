import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { ownerHeaders, ownerPages } from "#app/owner/routes.server.ts";
import { pages } from "#app/pages.server.ts";
import { ConfigError, getConfigIfValid } from "#app/server/config/env-config.server.ts";
import { quotaMessage, quotaRetryAfter } from "#app/server/db/daily-quota.server.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import { respondUnavailable } from "#app/server/http/api-error.server.ts";
import type { AppBindings, RenderPage } from "#app/server/http/bindings.ts";
import { newErrorReference } from "#app/server/http/failure.server.ts";
import { formGuards, oneClickPost } from "#app/server/http/guards.server.ts";
import { logError } from "#app/server/log.ts";
import { failureMessage } from "#app/waitlist/sign-up/messages.ts";
import { api } from "#worker/api.ts";
import { createAppContext, requestDb } from "#worker/app-context.ts";
import { added, parts } from "#worker/features.ts";
import { canonical } from "#worker/middleware/canonical.ts";
import { pageCache } from "#worker/middleware/page-cache.ts";
import { cspHeaders, securityHeaders, tokenPageHeaders } from "#worker/middleware/security-headers.ts";
import { demandOf, renewSettings } from "#worker/renew-settings.ts";

/** @param renderPage handles every request that is not for the API or the owner's pages */
export function createApp(renderPage: RenderPage) {
  const app = new Hono<AppBindings>()
    .get("*", tellFeatures, pageCache)
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

/** Tells features of the pages that are served. Outside the page cache, because cached pages run no other middleware. */
const tellFeatures = createMiddleware<AppBindings>(async (c, next) => {
  await next();
  const config = c.res.status === 200 ? getConfigIfValid(c.env) : null;
  if (config === null) return;
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const openDb = () => requestDb(c.env, waitUntil);
  for (const { onPage } of parts) onPage?.({ request: c.req.raw, config, publicPaths, openDb, waitUntil });
});

const publicPaths = new Set<string>(pages.map(({ path }) => path));

/** Beyond this the client loses its connection. */
const MAX_DRAINED_BYTES = 1_048_576;

/**
 * Reads the rest of a request's body after an early response. On a keep-alive connection unread bytes would precede the
 * next request, which `wrangler dev` then fails.
 */
const drainBody = createMiddleware(async (c, next) => {
  await next();
  const { body, bodyUsed } = c.req.raw;
  if (bodyUsed || body === null || body.locked) return;
  let drained = 0;
  for await (const chunk of body) {
    drained += chunk.byteLength;
    if (drained > MAX_DRAINED_BYTES) break;
  }
});

const ADVICE = `npm start sets these variables on your own machine, and npm run deploy sets them at Cloudflare.
For plain wrangler dev, copy .dev.vars.example to .dev.vars and remove the # from their lines.`;

/**
 * Sets `c.var.app`, or responds with 500 if the configuration is invalid. Errors while D1's daily quota is used up become
 * 503: browsers, and email clients that unsubscribe with one click, are to try again.
 */
const setApp = createMiddleware<AppBindings>(async (c, next) => {
  try {
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const settingsFailure = await renewSettings(c.env, waitUntil, demandOf(c.req.raw));
    const clientIp = c.req.header("CF-Connecting-IP");
    c.set("app", createAppContext(c.env, c.executionCtx, added, { clientIp, settingsFailure }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return c.text(`This site is not configured yet.\n${error.message}\n\n${ADVICE}\n`, 500);
  }
  await next();
  const isRefused = c.var.app.isQuotaExceeded() || findQuotaError(c.error) !== null;
  if (c.res.status < 500 || !isRefused) return;
  const now = c.var.app.now();
  const { headers, body } = c.res;
  // Errors of downloads and feeds are plain text, which says no more than that something failed.
  const isText = headers.get("Content-Type")?.startsWith("text/plain") === true;
  c.res = new Response(isText ? `${quotaMessage(now)}\n` : body, { status: 503, headers });
  c.header("Retry-After", String(quotaRetryAfter(now)));
});

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
