import { preferenceCookie } from "#app/consent/categories.ts";

/** What a visitor agreed to beyond the necessary. */
export interface Preference {
  analytics: boolean;
  marketing: boolean;
}

/** What a `Cookie` header or `document.cookie` says; "outdated" is a choice made under another policy. */
export type Reading = Preference | "none" | "outdated" | "unreadable";

/** Raised when the policy asks for something new: whoever chose before is asked again. */
const POLICY_VERSION = 1;

/** A saved choice has some 80 characters, encoded; longer values are not even parsed. */
const MAX_VALUE = 256;

export function readPreference(cookies: string): Reading {
  const pair = cookies.split(/; */).find((cookie) => cookie.startsWith(`${preferenceCookie.name}=`));
  if (pair === undefined) return "none";
  const value = pair.slice(preferenceCookie.name.length + 1);
  return value.length > MAX_VALUE ? "unreadable" : parsePreference(value);
}

/** The saved choice, or null where the visitor has to be asked. */
export function preferenceFrom(reading: Reading): Preference | null {
  return typeof reading === "string" ? null : reading;
}

/**
 * The cookie that saves a choice: a `Set-Cookie` value, which `document.cookie` takes as well.
 *
 * @param secure whether the page came over https
 */
export function preferenceCookieText({ analytics, marketing }: Preference, secure: boolean): string {
  const { name, maxAgeDays, path, sameSite } = preferenceCookie;
  const value = encodeURIComponent(JSON.stringify({ necessary: true, analytics, marketing, v: POLICY_VERSION }));
  const attributes = `Max-Age=${maxAgeDays * 86_400}; Path=${path}; SameSite=${sameSite}`;
  return `${name}=${value}; ${attributes}${secure ? "; Secure" : ""}`;
}

/** The banner's buttons. */
export const choices = ["decline", "selected", "accept"] as const;

export type Choice = (typeof choices)[number];

/**
 * What pressing a button means, given the toggles. Under Global Privacy Control "Accept All" leaves marketing as its
 * toggle stands: the browser has said no on its owner's behalf, so only the owner's own hand says yes.
 */
export function resolveChoice(choice: Choice, toggles: Preference, gpc: boolean): Preference {
  if (choice === "decline") return { analytics: false, marketing: false };
  if (choice === "selected") return toggles;
  return { analytics: true, marketing: !gpc || toggles.marketing };
}

function parsePreference(value: string): Reading {
  try {
    const { necessary, analytics, marketing, v } = JSON.parse(decodeURIComponent(value));
    if (necessary !== true || typeof analytics !== "boolean" || typeof marketing !== "boolean") return "unreadable";
    if (!Number.isInteger(v)) return "unreadable";
    return v === POLICY_VERSION ? { analytics, marketing } : "outdated";
  } catch {
    return "unreadable";
  }
}
