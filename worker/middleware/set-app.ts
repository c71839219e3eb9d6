import { createMiddleware } from "hono/factory";
import { ConfigError } from "#app/server/config/env-config.server.ts";
import { quotaMessage, quotaRetryAfter } from "#app/server/db/daily-quota.server.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { createAppContext } from "#worker/app-context.ts";
import { added } from "#worker/features.ts";

const ADVICE = `npm start sets these variables on your own machine, and npm run deploy sets them at Cloudflare.
For plain wrangler dev, copy .dev.vars.example to .dev.vars and remove the # from their lines.`;

/**
 * Sets `c.var.app`, or responds with 500 if the configuration is invalid. Errors while D1's daily quota is used up become
 * 503: browsers, and email clients that unsubscribe with one click, are to try again.
 */
export const setApp = createMiddleware<AppBindings>(async (c, next) => {
  try {
    c.set("app", createAppContext(c.env, c.executionCtx, added, c.req.header("CF-Connecting-IP")));
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
