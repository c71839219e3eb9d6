import { readPreference, savedPreference } from "#app/consent/preference.ts";
import { SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import { sitePages } from "#app/seo/site-pages.ts";

const keptPaths = new Set(Object.values(sitePages).map(({ path }) => path));

/**
 * What the answer to a visitor depends on, on one of the site's own pages: its path, the choice about cookies, and
 * Global Privacy Control. Nothing else in a request changes it; campaign parameters are read from the address where
 * they are needed.
 *
 * @param siteUrl the canonical origin
 * @returns null for whatever is answered anew: other addresses and hosts, forms, a banner that is asked for, a choice
 *   that cannot be read and has to be logged
 */
export function pageKey(request: Request, siteUrl: string): string | null {
  if (request.method !== "GET" || !request.url.startsWith(siteUrl)) return null;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (origin !== siteUrl || !keptPaths.has(pathname) || searchParams.has(SETTINGS_PARAMETER)) return null;
  const reading = readPreference(request.headers.get("Cookie") ?? "");
  if (reading === "unreadable") return null;
  const choice = savedPreference(reading);
  const consent = choice === null ? "undecided" : `analytics=${choice.analytics}&marketing=${choice.marketing}`;
  return `${pathname}?${consent}&gpc=${request.headers.get("Sec-GPC") === "1"}`;
}
