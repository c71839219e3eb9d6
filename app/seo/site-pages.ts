import { cookiePolicyUpdated, privacyUpdated } from "#app/legal/facts.ts";
import { site } from "#app/site.ts";

/** A page that search engines, assistants and link previews may know about. */
export interface SitePage {
  /** Without a trailing slash, but for the landing page's own `/`. */
  path: string;
  /** The document's title, whole. */
  title: string;
  description: string;
  /** `YYYY-MM-DD`, for pages whose text says when it last changed. */
  lastModified?: string;
}

/** Every public page: the source of titles, descriptions, the sitemap and llms.txt. */
export const sitePages = {
  home: {
    path: "/",
    title: `${site.name}: ${site.tagline}`,
    description: site.description,
  },
  roadmap: {
    path: "/roadmap",
    title: `Roadmap | ${site.name}`,
    description: `What is built, what is being built and what comes next on the way to the beta of ${site.name}.`,
  },
  survey: {
    path: "/survey",
    title: `Survey | ${site.name}`,
    description: `Tell us what hosting events or trading at them is like for you, and shape what ${site.name} becomes.`,
  },
  privacy: {
    path: "/privacy",
    title: `Privacy policy | ${site.name}`,
    description: `What ${site.name} knows about you, why, for how long, and how to see it, correct it or have it erased.`,
    lastModified: privacyUpdated.iso,
  },
  cookiePolicy: {
    path: "/cookie-policy",
    title: `Cookie policy | ${site.name}`,
    description: `Which cookies ${site.name} can set, what each is for, how long it lasts, and how to refuse it.`,
    lastModified: cookiePolicyUpdated.iso,
  },
} satisfies Record<string, SitePage>;

/** The address of a page on the canonical host. */
export function pageUrl(siteUrl: string, { path }: Pick<SitePage, "path">): string {
  return `${siteUrl}${path}`;
}
