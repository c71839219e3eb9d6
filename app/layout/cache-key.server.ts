import { preferenceFrom, readPreference } from "#app/consent/preference-cookie.ts";
import { SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import type { PageCollection } from "#app/server/context.ts";
import { isPersonalLink } from "#app/waitlist/entries/entry-code.server.ts";

interface CacheablePages {
  paths: ReadonlySet<string>;
  collections: readonly PageCollection[];
}

/**
 * The page cache key of a request: path, cookie preferences, Global Privacy Control, and for the landing page whether the
 * URL is a friend’s link, not whose. Nothing else changes the page; campaign parameters are read from the URL when
 * they are needed.
 *
 * @returns null if the request must not be cached: other paths, hosts and methods, or an opened cookie banner
 */
export function cacheKey(request: Request, siteUrl: string, { paths, collections }: CacheablePages): string | null {
  const { url } = request;
  if (request.method !== "GET" || !url.startsWith(`${siteUrl}/`)) return null;
  const question = url.indexOf("?");
  const path = url.slice(siteUrl.length, question === -1 ? undefined : question);
  const isCacheable = paths.has(path) || collections.some(({ includes }) => includes(path));
  if (!isCacheable) return null;
  const query = question === -1 ? null : readQuery(url.slice(question));
  if (query?.has(SETTINGS_PARAMETER)) return null;
  const invited = path === "/" && query !== null && isPersonalLink(query) ? "&invited=1" : "";
  const stored = readPreference(request.headers.get("Cookie") ?? "");
  const choice = preferenceFrom(stored);
  // A page for an unreadable cookie reports it in the browser's console.
  const undecided = stored === "unreadable" ? "unreadable" : "undecided";
  const consent = choice === null ? undecided : `analytics=${choice.analytics}&marketing=${choice.marketing}`;
  return `${path}?${consent}&gpc=${request.headers.get("Sec-GPC") === "1"}${invited}`;
}

/** Null if the query cannot change the page. Parsing is the slowest part, so it is skipped then. */
function readQuery(query: string): URLSearchParams | null {
  return [SETTINGS_PARAMETER, "via=", "%"].some((part) => query.includes(part)) ? new URLSearchParams(query) : null;
}
