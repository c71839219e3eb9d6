import type { PageRecord } from "#app/server/page-record.ts";

export interface NavigationLink {
  to: PageRecord["path"];
  name: string;
}

/** The links to pages in the header or the footer. */
export function navigationLinks(pages: readonly PageRecord[], part: keyof PageRecord["navigation"]): NavigationLink[] {
  return pages.flatMap(({ path, navigation }) => {
    const name = navigation[part];
    return name === undefined ? [] : [{ to: path, name }];
  });
}

export function pageUrl(siteUrl: string, { path }: { path: string }): string {
  return `${siteUrl}${path}`;
}
