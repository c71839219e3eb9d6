import { createMiddleware } from "hono/factory";
import type { AppBindings } from "#worker/types.ts";

/** A redirect may be remembered for an hour (seconds), so that a mistaken SITE_URL can be taken back. */
const REDIRECT_MAX_AGE = 3600;

/**
 * One address for each page: reads of pages on other hosts, over http or with a superfluous slash are sent to the
 * canonical address. Hosts that are there for trying things out are served instead, and kept out of search engines.
 */
export const canonical = createMiddleware<AppBindings>(async (c, next) => {
  const { SITE_URL } = c.var.app.config;
  const url = new URL(c.req.url);
  const target = redirectTarget(c.req.method, url, SITE_URL);
  if (target !== null) {
    c.header("Cache-Control", `public, max-age=${REDIRECT_MAX_AGE}`);
    return c.redirect(target, 301);
  }
  await next();
  // Most requests are for the very origin, and parsing an address takes its time.
  if (url.origin !== SITE_URL && url.host !== new URL(SITE_URL).host) c.header("X-Robots-Tag", "noindex");
});

/**
 * Where a request belongs, or null when it is where it belongs. Always an absolute address of our own, so that a path
 * such as `//evil.example` leads nowhere else.
 */
function redirectTarget(method: string, url: URL, siteUrl: string): string | null {
  if (method !== "GET" && method !== "HEAD") return null;
  // Programs call these by the address they were given, and monitors take a redirect for an answer.
  if (url.pathname === "/healthcheck" || url.pathname === "/api" || url.pathname.startsWith("/api/")) return null;
  const origin = isTrial(url, siteUrl) ? url.origin : siteUrl;
  const path = canonicalPath(url.pathname);
  return origin === url.origin && path === url.pathname ? null : `${origin}${path}${url.search}`;
}

/** A host that visitors are not meant to use: this machine, its network, or a preview of a deployment. */
function isTrial({ host, hostname }: URL, siteUrl: string): boolean {
  if (host === new URL(siteUrl).host) return false;
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  return isAddress || /(^|\.)(localhost|local|workers\.dev)$/.test(hostname);
}

/** Without doubled slashes and without one at the end. */
function canonicalPath(pathname: string): string {
  const single = pathname.replace(/\/{2,}/g, "/");
  return single === "/" ? single : single.replace(/\/$/, "");
}
