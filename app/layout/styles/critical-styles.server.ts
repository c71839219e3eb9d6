import common from "#app/layout/styles/critical.css?inline";
import type { PageRecord } from "#app/server/page-record.ts";

/** A route's `handle`. */
export interface PageHandle {
  /** Names the stylesheet for the first paint of its page. */
  page: Pick<PageRecord, "styles">;
  /** The header has no button to join: its visitors have joined, or the page is the form. */
  hidesJoin?: boolean;
}

const sheets = import.meta.glob<string>(
  ["/app/features/**/critical.css", "/app/waitlist/my-data/my-data.css", "/app/layout/error-page.css"],
  { query: "?inline", import: "default", eager: true },
);

export const ERROR_PAGE_STYLES = "layout/error-page.css";

/**
 * The critical styles, inlined into the document so that they do not delay the first paint.
 *
 * @param page the record in the `handle` of the document's last route
 * @throws if the route has no record or the stylesheet does not exist
 */
export function criticalStyles(page: PageHandle["page"] | undefined): string {
  if (page === undefined) throw new Error("The route exports no `handle` with its page record");
  const pageStyles = page.styles === null ? "" : sheets[`/app/${page.styles}`];
  if (pageStyles === undefined)
    throw new Error(`No stylesheet ${page.styles}; a page's stylesheet must be critical.css`);
  return common + pageStyles;
}
