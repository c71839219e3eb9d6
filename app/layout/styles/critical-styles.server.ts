import common from "#app/layout/styles/critical.css?inline";
import type { PageRecord } from "#app/pages/page-record.ts";
import { encodedOnce } from "#app/server/encoded-once.ts";

/** A route's `handle`: which styles the first paint of its page needs. */
export interface PageHandle {
  page: Pick<PageRecord, "styles">;
}

const sheets = import.meta.glob<string>(
  ["/app/pages/*/critical.css", "/app/waitlist/my-data/my-data.css", "/app/layout/error-page.css"],
  { query: "?inline", import: "default", eager: true },
);

/** Names the error page's stylesheet, as `PageRecord.styles` names a page's own. */
export const ERROR_PAGE_STYLES = "layout/error-page.css";

/**
 * The styles that are inlined into a document, so that its first paint waits for nothing else, encoded.
 *
 * @param page the record in the `handle` of the document's last route
 * @throws for a route without a record, and for a stylesheet that does not exist: neither may go unnoticed
 */
export function criticalStyles(page: PageHandle["page"] | undefined): Uint8Array {
  if (page === undefined) throw new Error("The route exports no `handle` with its page record");
  return stylesFor(page.styles ?? "");
}

const stylesFor = encodedOnce((path) => {
  const own = path === "" ? "" : sheets[`/app/${path}`];
  if (own === undefined) throw new Error(`No stylesheet ${path}; one beside a page must be called critical.css`);
  return common + own;
});
