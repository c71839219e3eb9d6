import { preferenceFrom, readPreference } from "#app/consent/preference-cookie.ts";
import { SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import type { PageCollection } from "#app/server/context.ts";

interface CacheablePages {
  paths: ReadonlySet<string>;
  collections: readonly PageCollection[];
}

/**
 * The page cache key of a request: path, cookie preferences and Global Privacy Control. Nothing else changes the page;
 * campaign parameters are read from the URL when they are needed.
 *
 * @returns null if the request must not be cached: other paths, hosts and methods, or an opened cookie banner
 */
export function cacheKey(request: Request, siteUrl: string, { paths, collections }: CacheablePages): string | null {
  const { url } = request;
  if (request.method !== "GET" || !url.startsWith(`${siteUrl}/`)) return null;
  const question = url.indexOf("?");
  const path = url.slice(siteUrl.length, question === -1 ? undefined : question);
  const isCacheable = paths.has(path) || collections.some(({ includes }) => includes(path));
  if (!isCacheable || (question !== -1 && opensSettings(url.slice(question)))) return null;
  const stored = readPreference(request.headers.get("Cookie") ?? "");
  const choice = preferenceFrom(stored);
  // A page for an unreadable cookie reports it in the browser's console.
  const undecided = stored === "unreadable" ? "unreadable" : "undecided";
  const consent = choice === null ? undecided : `analytics=${choice.analytics}&marketing=${choice.marketing}`;
  return `${path}?${consent}&gpc=${request.headers.get("Sec-GPC") === "1"}`;
}

/** Parses only queries that may have the parameter, because parsing takes longer than all the rest. */
function opensSettings(query: string): boolean {
  return (
    (query.includes(SETTINGS_PARAMETER) || query.includes("%")) && new URLSearchParams(query).has(SETTINGS_PARAMETER)
  );
}
