import common from "#app/layout/styles/critical.css?inline";
import type { PageRecord } from "#app/pages/page-record.ts";
import { memoiseBytes } from "#app/server/memoise-bytes.ts";

/** A route's `handle`: names the stylesheet for the first paint of its page. */
export interface PageHandle {
  page: Pick<PageRecord, "styles">;
}

const sheets = import.meta.glob<string>(
  ["/app/pages/*/critical.css", "/app/waitlist/my-data/my-data.css", "/app/layout/error-page.css"],
  { query: "?inline", import: "default", eager: true },
);

/** The error page's `PageRecord.styles`. */
export const ERROR_PAGE_STYLES = "layout/error-page.css";

/**
 * The encoded critical styles, inlined into the document so that they do not delay the first paint.
 *
 * @param page the record in the `handle` of the document's last route
 * @throws if the route has no record or the stylesheet does not exist
 */
export function criticalStyles(page: PageHandle["page"] | undefined): Uint8Array {
  if (page === undefined) throw new Error("The route exports no `handle` with its page record");
  return stylesFor(page.styles ?? "");
}

const stylesFor = memoiseBytes((path) => {
  const pageStyles = path === "" ? "" : sheets[`/app/${path}`];
  if (pageStyles === undefined) throw new Error(`No stylesheet ${path}; a page's stylesheet must be critical.css`);
  return common + pageStyles;
});
