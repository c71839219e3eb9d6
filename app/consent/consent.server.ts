import { data } from "react-router";
import { expireCookies } from "#app/consent/expire-cookies.ts";
import {
  type Choice,
  choices,
  type Preference,
  preferenceCookieText,
  preferenceFrom,
  readPreference,
  resolveChoice,
} from "#app/consent/preference-cookie.ts";
import { SETTINGS_PARAMETER } from "#app/consent/settings-link.ts";
import { logWarning } from "#app/server/log.ts";

/** What a page depends on of the visitor's choice, and of their cookies nothing else. */
export interface Consent {
  preference: Preference | null;
  /** The browser sends Global Privacy Control. https://w3c.github.io/gpc/ */
  gpc: boolean;
}

/** What a request says about consent; a cookie that cannot be read is logged, and as good as none. */
export function readConsent(request: Request): Consent {
  const reading = readPreference(request.headers.get("Cookie") ?? "");
  if (reading === "unreadable") logWarning("consent-unreadable");
  return { preference: preferenceFrom(reading), gpc: request.headers.get("Sec-GPC") === "1" };
}

/**
 * The banner's own POST, which works without JavaScript: saves the choice, removes what was declined, and leads back
 * to the page on which the banner stood.
 *
 * @param url the request's own, without React Router's endings
 * @throws for the error page, when the form has no such choice
 */
export async function saveConsentPost(request: Request, url: URL): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const choice = choices.find((candidate) => candidate === form.get("choice"));
  if (choice === undefined) throw data(null, { status: 400 });
  const preference = preferenceOf(choice, form, request);
  const headers = new Headers({ Location: wayBack(request, url), "Cache-Control": "no-store" });
  headers.append("Set-Cookie", preferenceCookieText(preference, url.protocol === "https:"));
  for (const removal of expireCookies(request.headers.get("Cookie") ?? "", url.hostname, preference)) {
    headers.append("Set-Cookie", removal);
  }
  return new Response(null, { status: 303, headers });
}

function preferenceOf(choice: Choice, form: FormData, request: Request): Preference {
  const toggles = { analytics: form.has("analytics"), marketing: form.has("marketing") };
  return resolveChoice(choice, toggles, readConsent(request).gpc);
}

/** The page that the form was sent from: always a whole address of our own, so that it leads nowhere else. */
function wayBack(request: Request, url: URL): string {
  const from = URL.parse(request.headers.get("Referer") ?? "");
  if (from?.origin !== url.origin) return `${url.origin}${url.pathname}`;
  from.searchParams.delete(SETTINGS_PARAMETER);
  return `${from.origin}${from.pathname}${from.search}`;
}
