import { isCookieOf } from "#app/consent/cookies.ts";
import type { Preference } from "#app/consent/preference-cookie.ts";

/** More than any browser holds. Stops a forged `Cookie` header from causing a huge response. */
const MAX_NAMES = 40;

/**
 * Expires the cookies of declined categories. Returns values for `Set-Cookie` or `document.cookie`. A cookie's domain
 * cannot be read, so each is expired on the host and on every parent domain.
 *
 * @param cookies a `Cookie` header or `document.cookie`
 */
export function expireCookies(cookies: string, hostname: string, preference: Preference): string[] {
  const declined = (["analytics", "marketing"] as const).filter((category) => !preference[category]);
  const names = cookies
    .split(/; */)
    .map((cookie) => cookie.replace(/=.*/s, ""))
    .filter((name) => /^[\w.-]+$/.test(name) && declined.some((category) => isCookieOf(category, name)));
  const domains = ["", ...domainsOf(hostname).map((domain) => `; Domain=${domain}`)];
  return Array.from(new Set(names))
    .slice(0, MAX_NAMES)
    .flatMap((name) => domains.map((domain) => `${name}=; Max-Age=0; Path=/${domain}`));
}

/** A host and its parent domains, down to two labels; none for an IP address or a single label. */
function domainsOf(hostname: string): string[] {
  const labels = hostname.split(".");
  if (/^[\d.]+$/.test(hostname)) return [];
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
