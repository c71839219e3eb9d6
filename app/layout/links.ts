import type { PageRecord } from "#app/server/page-record.ts";

export interface NavigationLink {
  to: PageRecord["path"];
  name: string;
}

export function linksIn(pages: readonly PageRecord[], place: keyof PageRecord["navigation"]): NavigationLink[] {
  return pages.flatMap(({ path, navigation }) => {
    const name = navigation[place];
    return name === undefined ? [] : [{ to: path, name }];
  });
}

export function pageUrl(siteUrl: string, { path }: { path: string }): string {
  return `${siteUrl}${path}`;
}
