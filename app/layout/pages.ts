import { linkedPages } from "#app/layout/links.ts";
import { lettersPage } from "#app/pages/letters/page.ts";
import { letters } from "#app/switches.ts";
import type { PageRecord } from "#app/ui/page-record.ts";

/** All public pages with a fixed address: the source of sitemap, llms.txt and page cache. Not for browsers. */
export const pages: readonly PageRecord[] = [...linkedPages, ...(letters ? [lettersPage] : [])];
