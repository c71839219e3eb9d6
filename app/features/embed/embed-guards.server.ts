import type { Context, MiddlewareHandler } from "hono";
import { isAllowedOrigin } from "#app/features/embed/origins.server.ts";
import { readOrigin } from "#app/features/embed/read-origin.ts";
import { recordBlocked } from "#app/server/abuse/check-abuse.server.ts";
import { RATE_LIMIT_PERIOD, withinClientLimits } from "#app/server/abuse/rate-limits.server.ts";
import type { AppBindings, RenderPage } from "#app/server/http/bindings.ts";
import { block, formGuards, rejecting, unlessRead, withoutBody } from "#app/server/http/guards.server.ts";
import { isSameOrigin } from "#app/server/http/request-guards.ts";
import { messages } from "#app/waitlist/sign-up/messages.ts";

const NOT_LISTED = "The owner of this waitlist hasn’t allowed forms from where this one was sent. Nothing was stored.";

/**
 * Serves the page to which forms on other sites are sent, after the checks of every form. A post needs an `Origin`: this
 * site's, or one that the owner has listed. A client's posts from other sites are counted before D1 is asked, apart from
 * its sign-ups.
 */
export function embedGuards(renderPage: RenderPage): MiddlewareHandler<AppBindings>[] {
  const [method, size] = formGuards(renderPage);
  const reject = rejecting(renderPage);

  async function requireListedOrigin(c: Context<AppBindings>, next: () => Promise<void>) {
    const { app } = c.var;
    const origin = c.req.header("Origin") ?? "null";
    const refuse = () => block(c, "origin", () => reject(c, 403, NOT_LISTED));
    if (origin === "null") return refuse();
    if (isSameOrigin(c.req.raw, app.config.SITE_URL)) return next();
    if (!(await withinClientLimits(app.limits, "embed", app.clientIp))) {
      recordBlocked(app, "embed", "rate-limited");
      c.res = await reject(c, 429, messages["rate-limited"]);
      return c.header("Retry-After", String(RATE_LIMIT_PERIOD));
    }
    try {
      const isPossible = "origin" in readOrigin(origin, app.config.SITE_URL);
      if (!isPossible || !(await isAllowedOrigin(app.db, origin))) return refuse();
    } catch (error) {
      const { body, headers } = await renderPage(c, { request: withoutBody(c.req.raw), status: 503, error });
      return new Response(body, { status: 503, headers });
    }
    c.req.raw = withoutOrigin(c.req.raw);
    return next();
  }

  return [privatePage, method, size, unlessRead(requireListedOrigin), (c) => renderPage(c)];
}

/** Keeps the page, which may show what someone typed, out of caches and search indexes. */
async function privatePage(c: Context<AppBindings>, next: () => Promise<void>) {
  await next();
  c.header("Cache-Control", "no-store");
  c.header("X-Robots-Tag", "noindex");
}

/** React Router would reject the post of another site. */
function withoutOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("Origin");
  return new Request(request, { headers });
}
