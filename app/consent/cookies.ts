/** Every cookie of this site. The policy's table and the code that sets or clears cookies both read this list. */

export const consentCategories = ["necessary", "analytics", "marketing"] as const;

export type ConsentCategory = (typeof consentCategories)[number];

/** Remembers the visitor's choice; `preference.ts` reads and writes its value. */
export const preferenceCookie = {
  name: "cookiePreferences",
  maxAgeDays: 365,
  path: "/",
  sameSite: "Lax",
} as const;

export interface CategoryFacts {
  title: string;
  /** What it is for, in the visitor's words. */
  description: string;
  /** Whose cookies these are, as it reads after "set by". */
  provider: string;
  /** What the category switches on besides, in a sentence. */
  withoutCookies?: string;
}

export const categoryFacts: Record<ConsentCategory, CategoryFacts> = {
  necessary: {
    title: "Necessary",
    description: "Remembers your cookie choice, so that you are not asked on every page. It is always on.",
    provider: "this site",
  },
  analytics: {
    title: "Analytics",
    description: "Counts visits and shows which parts of the site are used. Off until you switch it on.",
    provider: "Google Analytics",
    withoutCookies:
      "Cloudflare Web Analytics belongs here too. It counts the pages that are loaded and sets no cookies.",
  },
  marketing: {
    title: "Marketing",
    description: "Shows which of our adverts brought people here. Off until you switch it on.",
    provider: "the Meta Pixel",
  },
};

export interface SiteCookie {
  name: string;
  category: ConsentCategory;
  /** How its provider varies the name: not at all, with `_` and an id behind it, or with anything behind it. */
  variants: "none" | "suffixed" | "prefixed";
  purpose: string;
  lifetime: string;
}

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

/** Whether a cookie that a browser sent is one that declining `category` must remove. */
export function isCookieOf(category: ConsentCategory, name: string): boolean {
  return siteCookies.some((cookie) => cookie.category === category && isVariantOf(cookie, name));
}

function isVariantOf(cookie: SiteCookie, name: string): boolean {
  if (name === cookie.name) return true;
  if (cookie.variants === "suffixed") return name.startsWith(`${cookie.name}_`);
  return cookie.variants === "prefixed" && name.startsWith(cookie.name);
}
