import { data } from "react-router";
import { expireCookies } from "#app/consent/expire-cookies.ts";
import {
  consentChoices,
  type Preference,
  preferenceCookieText,
  preferenceFrom,
  readPreference,
  resolveChoice,
} from "#app/consent/preference-cookie.ts";
import { SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import { logSampled } from "#app/server/log.ts";

/** All that a page depends on from a visitor's cookies and headers. `cacheKey` must cover it. */
export interface Consent {
  preference: Preference | null;
  /** The browser sends Global Privacy Control. https://w3c.github.io/gpc/ */
  gpc: boolean;
  /** The cookie exists, but could not be read. */
  isUnreadable: boolean;
}

export function readConsent(request: Request): Consent {
  const result = readPreference(request.headers.get("Cookie") ?? "");
  const isUnreadable = result === "unreadable";
  if (isUnreadable) logSampled("warn", "consent-unreadable");
  return { preference: preferenceFrom(result), gpc: request.headers.get("Sec-GPC") === "1", isUnreadable };
}

/**
 * Handles the banner's POST, which works without JavaScript: saves the choice, expires the cookies of declined
 * categories and redirects to the page that showed the banner.
 *
 * @param url the request's URL, without React Router's suffixes
 * @throws a 400 response when the choice is missing or invalid
 */
export async function saveConsentPost(request: Request, url: URL): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const choice = consentChoices.find((candidate) => candidate === form.get("choice"));
  if (choice === undefined) throw data(null, { status: 400 });
  const toggles = { analytics: form.has("analytics"), marketing: form.has("marketing") };
  const preference = resolveChoice(choice, toggles, readConsent(request).gpc);
  const headers = new Headers({ Location: returnUrl(request, url), "Cache-Control": "no-store" });
  headers.append("Set-Cookie", preferenceCookieText(preference, url.protocol === "https:"));
  for (const cookie of expireCookies(request.headers.get("Cookie") ?? "", url.hostname, preference)) {
    headers.append("Set-Cookie", cookie);
  }
  return new Response(null, { status: 303, headers });
}

/** The page that posted the form. Always an absolute URL of this site, so that it is no open redirect. */
function returnUrl(request: Request, url: URL): string {
  const from = URL.parse(request.headers.get("Referer") ?? "");
  if (from?.origin !== url.origin) return `${url.origin}${url.pathname}`;
  from.searchParams.delete(SETTINGS_PARAMETER);
  return `${from.origin}${from.pathname}${from.search}`;
}
