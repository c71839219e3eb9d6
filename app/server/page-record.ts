/** Metadata of a public page. Each page has its record in its folder; `pages.ts` lists them. */
export interface PageRecord {
  /** Without a trailing slash, except for the landing page's `/`. */
  path: `/${string}`;
  /** The full document title. */
  title: string;
  description: string;
  /** `YYYY-MM-DD`, for pages that state their last change. */
  lastModified?: string;
  /** Link texts. Links follow the order of `pages.ts`. */
  navigation: { header?: string; footer?: string };
  /** Critical stylesheet of this page, relative to `app/`; null when the common ones are enough. */
  styles: string | null;
  /** Whether the response depends only on path and consent choice, so that it can be cached for a minute. */
  cacheable: boolean;
}
