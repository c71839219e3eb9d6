// Single constants, because the inline script contains their values and nothing else.
const NAME = "cookiePreferences";
const MAX_AGE_DAYS = 365;

export const preferenceCookie = { name: NAME, maxAgeDays: MAX_AGE_DAYS, path: "/", sameSite: "Lax" } as const;

export interface Preference {
  analytics: boolean;
  marketing: boolean;
}

/** "outdated" is a choice made under another version of the policy. */
export type PreferenceResult = Preference | "none" | "outdated" | "unreadable";

/** Increase this when the policy asks for something new, so that every visitor is asked again. */
const POLICY_VERSION: number = 1;

/** Characters. An encoded choice has about 80; longer values are not parsed. */
const MAX_VALUE = 256;

/** @param cookies a `Cookie` header or `document.cookie` */
export function readPreference(cookies: string): PreferenceResult {
  const pair = cookies.split(/; */).find((cookie) => cookie.startsWith(`${NAME}=`));
  if (pair === undefined) return "none";
  const value = pair.slice(NAME.length + 1);
  return value.length > MAX_VALUE ? "unreadable" : parsePreference(value);
}

/** The saved choice, or null if the visitor must be asked. */
export function preferenceFrom(result: PreferenceResult): Preference | null {
  return typeof result === "string" ? null : result;
}

/** The cookie's name and value, decoded: the first version has no number. */
export function preferenceCookiePair({ analytics, marketing }: Preference): string {
  const version = POLICY_VERSION === 1 ? {} : { v: POLICY_VERSION };
  return `${NAME}=${JSON.stringify({ necessary: true, analytics, marketing, ...version })}`;
}

/** A value for `Set-Cookie` or `document.cookie`. @param secure whether the page was served over https */
export function preferenceCookieText(preference: Preference, secure: boolean): string {
  const attributes = `; Max-Age=${MAX_AGE_DAYS * 86_400}; Path=/; SameSite=Lax${secure ? "; Secure" : ""}`;
  return preferenceCookiePair(preference).replace(/{.*/, encodeURIComponent) + attributes;
}

export const consentChoices = ["decline", "selected", "accept"] as const;

export type ConsentChoice = (typeof consentChoices)[number];

/**
 * Resolves a button and the toggles to a preference. Under Global Privacy Control "Accept All" leaves marketing at its
 * toggle: the browser has declined for the visitor, so only an explicit choice overrides it.
 */
export function resolveChoice(choice: ConsentChoice, toggles: Preference, gpc: boolean): Preference {
  if (choice === "decline") return { analytics: false, marketing: false };
  if (choice === "selected") return toggles;
  return { analytics: true, marketing: !gpc || toggles.marketing };
}

function parsePreference(value: string): PreferenceResult {
  try {
    // The specification's three fields alone are a choice under the first version.
    const { necessary, analytics, marketing, v = 1 } = JSON.parse(decodeURIComponent(value));
    if (necessary !== true || typeof analytics !== "boolean" || typeof marketing !== "boolean") return "unreadable";
    if (!Number.isInteger(v)) return "unreadable";
    return v === POLICY_VERSION ? { analytics, marketing } : "outdated";
  } catch {
    return "unreadable";
  }
}
