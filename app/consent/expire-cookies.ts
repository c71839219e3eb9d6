import { isCookieOf } from "#app/consent/cookies.ts";
import type { Preference } from "#app/consent/preference-cookie.ts";

/** More than a browser ever holds of them; keeps a made-up `Cookie` header from making a huge answer. */
const MAX_NAMES = 40;

/**
 * Cookies that remove those of the declined categories: `Set-Cookie` values, which `document.cookie` takes as well.
 * Whether one belongs to the host or to a domain above cannot be read, so it is removed from all of them.
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

/** A host and the domains above it, down to two labels; none for an address or a single label. */
function domainsOf(hostname: string): string[] {
  const labels = hostname.split(".");
  if (/^[\d.]+$/.test(hostname)) return [];
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
