import { lettersPage } from "#app/features/letters/public/page.ts";
import { linkedPages } from "#app/pages.ts";
import type { PageRecord } from "#app/server/page-record.ts";
import { letters } from "#app/switches.ts";

/** All public pages with a fixed address: for the sitemap, llms.txt and the page cache. */
export const pages: readonly PageRecord[] = [...linkedPages, ...(letters ? [lettersPage] : [])];
