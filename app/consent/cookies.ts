import type { ConsentCategory } from "#app/consent/categories.ts";
import { preferenceCookie } from "#app/consent/preference-cookie.ts";

export interface SiteCookie {
  name: string;
  category: ConsentCategory;
  /** How the provider varies the name: not at all, with a suffix after `_`, or with any suffix. */
  variants: "none" | "suffixed" | "prefixed";
  purpose: string;
  lifetime: string;
}

/** Every cookie of this site, for the policy's table and for the code that expires cookies. */
export const siteCookies: readonly SiteCookie[] = [
  {
    name: preferenceCookie.name,
    category: "necessary",
    variants: "none",
    purpose: "Remembers which categories you accepted or declined.",
    lifetime: `${preferenceCookie.maxAgeDays} days`,
  },
  {
    name: "_ga",
    category: "analytics",
    variants: "suffixed",
    purpose: "Tells one browser from another, so that a visitor is counted once.",
    lifetime: "2 years",
  },
  {
    name: "_gid",
    category: "analytics",
    variants: "suffixed",
    purpose: "Tells one browser from another within a day.",
    lifetime: "24 hours",
  },
  {
    name: "_gat",
    category: "analytics",
    variants: "suffixed",
    purpose: "Limits how often data is sent.",
    lifetime: "1 minute",
  },
  {
    name: "_fbp",
    category: "marketing",
    variants: "prefixed",
    purpose: "Tells one browser from another, to count what our adverts lead to.",
    lifetime: "90 days",
  },
  {
    name: "_fbc",
    category: "marketing",
    variants: "prefixed",
    purpose: "Remembers that you came here from an advert on Facebook or Instagram.",
    lifetime: "90 days",
  },
];

export function isCookieOf(category: ConsentCategory, name: string): boolean {
  return siteCookies.some((cookie) => cookie.category === category && isVariantOf(cookie, name));
}

function isVariantOf(cookie: SiteCookie, name: string): boolean {
  if (name === cookie.name) return true;
  if (cookie.variants === "suffixed") return name.startsWith(`${cookie.name}_`);
  return cookie.variants === "prefixed" && name.startsWith(cookie.name);
}
