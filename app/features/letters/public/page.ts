import type { PageRecord } from "#app/server/page-record.ts";
import { site } from "#app/site.ts";

/** The list of letters. The page of a letter has the same styles. */
export const lettersPage = {
  path: "/letters",
  /** In the Atom format. */
  feed: "/letters/feed.xml",
  title: `Letters | ${site.name}`,
  description: `The letters that ${site.name} has sent to the people on its waitlist, to read on the web.`,
  navigation: {},
  styles: "features/letters/public/critical.css",
  cacheable: true,
} satisfies PageRecord & { feed: string };

/** The path of a page of the list, counted from 1. The first is the list's own. */
export function listPath(page: number): `/${string}` {
  return page === 1 ? lettersPage.path : `/letters/page/${page}`;
}

/** Whether a path is that of a further page of the list. */
export function isListPath(path: string): boolean {
  return /^\/letters\/page\/([2-9]|[1-9]\d{1,2})$/.test(path);
}

export function letterPath(id: number): `/${string}` {
  return `/letters/${id}`;
}

/** Ids have one spelling, so that a letter has one address. */
export function isLetterPath(path: string): boolean {
  return /^\/letters\/[1-9]\d{0,14}$/.test(path);
}
