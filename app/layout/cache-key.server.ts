import { preferenceFrom, readPreference } from "#app/consent/preference-cookie.ts";
import { SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import { pages } from "#app/layout/pages.ts";
import { isLetterPath } from "#app/pages/letters/page.ts";

const cacheablePaths = new Set<string>(pages.filter(({ cacheable }) => cacheable).map(({ path }) => path));

/**
 * The page cache key of a request: path, cookie preferences and Global Privacy Control. Nothing else changes the page;
 * campaign parameters are read from the URL when they are needed.
 *
 * @param siteUrl the canonical origin
 * @returns null if the request must not be cached: other paths, hosts and methods, or an opened cookie banner
 */
export function cacheKey(request: Request, siteUrl: string): string | null {
  if (request.method !== "GET" || !request.url.startsWith(siteUrl)) return null;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (origin !== siteUrl || !isCacheable(pathname) || searchParams.has(SETTINGS_PARAMETER)) return null;
  const stored = readPreference(request.headers.get("Cookie") ?? "");
  const choice = preferenceFrom(stored);
  // A page for an unreadable cookie reports it in the browser's console.
  const undecided = stored === "unreadable" ? "unreadable" : "undecided";
  const consent = choice === null ? undecided : `analytics=${choice.analytics}&marketing=${choice.marketing}`;
  return `${pathname}?${consent}&gpc=${request.headers.get("Sec-GPC") === "1"}`;
}

function isCacheable(path: string): boolean {
  return cacheablePaths.has(path) || isLetterPath(path);
}
