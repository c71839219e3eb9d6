import { letterPages } from "#app/features/letters/public/collection.server.ts";
import { lettersPage } from "#app/features/letters/public/page.ts";
import { linkedPages } from "#app/layout/links.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { letters } from "#app/switches.ts";
import type { BritishDate } from "#app/ui/british-date.ts";
import type { PageRecord } from "#app/ui/page-record.ts";

/** All public pages with a fixed address: the source of sitemap, llms.txt and page cache. Not for browsers. */
export const pages: readonly PageRecord[] = [...linkedPages, ...(letters ? [lettersPage] : [])];

/** Public pages whose addresses come from the database. They can be cached, and the sitemap lists them. */
interface PageCollection {
  includes(path: string): boolean;
  list(db: Db): Promise<Pick<PageRecord, "path" | "lastModified">[]>;
}

export const collections: readonly PageCollection[] = letters ? [letterPages] : [];

/** A page that others mention. */
export interface NewestPage {
  path: `/${string}`;
  title: string;
  date: BritishDate;
}

/** The newest public letter; null if there is none. */
export const findNewestLetter: (db: Db) => Promise<NewestPage | null> = letters ? letterPages.newest : async () => null;
