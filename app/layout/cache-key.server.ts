import { preferenceFrom, readPreference } from "#app/consent/preference-cookie.ts";
import { SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import { pages } from "#app/layout/pages.ts";

const cacheablePaths = new Set<string>(pages.filter(({ cacheable }) => cacheable).map(({ path }) => path));

/**
 * What the answer to a visitor depends on, on one of the site's own pages: its path, the choice about cookies, and
 * Global Privacy Control. Nothing else in a request changes it; campaign parameters are read from the address where
 * they are needed.
 *
 * @param siteUrl the canonical origin
 * @returns null for whatever is answered anew: other addresses and hosts, forms, a banner that is asked for, a choice
 *   that cannot be read and has to be logged
 */
export function cacheKey(request: Request, siteUrl: string): string | null {
  if (request.method !== "GET" || !request.url.startsWith(siteUrl)) return null;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (origin !== siteUrl || !cacheablePaths.has(pathname) || searchParams.has(SETTINGS_PARAMETER)) return null;
  const reading = readPreference(request.headers.get("Cookie") ?? "");
  if (reading === "unreadable") return null;
  const choice = preferenceFrom(reading);
  const consent = choice === null ? "undecided" : `analytics=${choice.analytics}&marketing=${choice.marketing}`;
  return `${pathname}?${consent}&gpc=${request.headers.get("Sec-GPC") === "1"}`;
}
