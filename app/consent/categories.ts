export const consentCategories = ["necessary", "analytics", "marketing"] as const;

export type ConsentCategory = (typeof consentCategories)[number];

/** Remembers the visitor's choice; `preference.ts` reads and writes its value. */
export const preferenceCookie = {
  name: "cookiePreferences",
  maxAgeDays: 365,
  path: "/",
  sameSite: "Lax",
} as const;

export interface CategoryDetails {
  title: string;
  /** What it is for, in the visitor's words. */
  description: string;
  /** Whose cookies these are, as it reads after "set by". */
  provider: string;
  /** What the category switches on besides, in a sentence. */
  withoutCookies?: string;
}

export const categoryDetails: Record<ConsentCategory, CategoryDetails> = {
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
