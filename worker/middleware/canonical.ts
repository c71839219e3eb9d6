import { createMiddleware } from "hono/factory";
import type { AppBindings } from "#app/server/http/bindings.ts";
import { isLoopback } from "#app/server/http/public-host.server.ts";
import { isPrivatePath } from "#app/server/http/token-path.ts";

/** Seconds. Short, so that redirects to a wrong SITE_URL do not last. */
const REDIRECT_MAX_AGE = 3600;

/**
 * Redirects GET and HEAD requests on other hosts, over http or with superfluous slashes to the canonical URL. Local and
 * preview hosts are served instead, with `noindex`.
 */
export const canonical = createMiddleware<AppBindings>(async (c, next) => {
  const { SITE_URL } = c.var.app.config;
  const { url, method } = c.req;
  const target = redirectTarget(method, url, SITE_URL);
  if (target !== null) {
    c.header(
      "Cache-Control",
      isPrivatePath(new URL(url).pathname) ? "no-store" : `public, max-age=${REDIRECT_MAX_AGE}`,
    );
    return c.redirect(target, 301);
  }
  await next();
  // The first comparison avoids parsing the URLs of most requests.
  if (!url.startsWith(`${SITE_URL}/`) && new URL(url).host !== new URL(SITE_URL).host) {
    c.header("X-Robots-Tag", "noindex");
  }
});

/** An absolute URL of this site, so that `//evil.example` is no open redirect; null if no redirect is needed. */
function redirectTarget(method: string, requested: string, siteUrl: string): string | null {
  if (method !== "GET" && method !== "HEAD") return null;
  const url = new URL(requested);
  // Called by programs at a fixed URL; uptime monitors would count a redirect as success.
  if (url.pathname === "/healthcheck" || url.pathname === "/api" || url.pathname.startsWith("/api/")) return null;
  const origin = isPreviewHost(url, siteUrl) ? url.origin : siteUrl;
  const path = canonicalPath(url.pathname);
  return origin === url.origin && path === url.pathname ? null : `${origin}${path}${url.search}`;
}

/** The local machine or network, or a preview on workers.dev. */
function isPreviewHost({ host, hostname }: URL, siteUrl: string): boolean {
  // `wrangler dev --local-protocol https` passes requests on as http.
  if (host === new URL(siteUrl).host && !isLoopback(new URL(siteUrl))) return false;
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  return isAddress || /(^|\.)(localhost|local|workers\.dev)$/.test(hostname);
}

function canonicalPath(pathname: string): string {
  const single = pathname.replace(/\/{2,}/g, "/");
  return single === "/" ? single : single.replace(/\/$/, "");
}
