import type { PageRecord } from "#app/server/page-record.ts";

export interface NavigationLink {
  to: PageRecord["path"];
  name: string;
}

/** The links of the header or the footer. */
export function linksIn(pages: readonly PageRecord[], place: keyof PageRecord["navigation"]): NavigationLink[] {
  return pages.flatMap(({ path, navigation }) => {
    const name = navigation[place];
    return name === undefined ? [] : [{ to: path, name }];
  });
}

/** The absolute URL of a page on the canonical host. */
export function pageUrl(siteUrl: string, { path }: { path: string }): string {
  return `${siteUrl}${path}`;
}
