/** Everything the site knows about a public page. `layout/pages.ts` collects the records; each one lies with its page. */
export interface PageRecord {
  /** Without a trailing slash, except for the landing page's own `/`. */
  path: `/${string}`;
  /** The whole document title. */
  title: string;
  description: string;
  /** `YYYY-MM-DD`, for pages whose text says when it last changed. */
  lastModified?: string;
  /** The text of the link to this page, where there is one. Links stand in the order of `layout/pages.ts`. */
  navigation: { header?: string; footer?: string };
  /** The stylesheet that the first paint needs besides the common ones, below `app/`; null where those are enough. */
  styles: string | null;
  /** Whether the response depends on nothing but path and cookie choice, so that it may be cached for a minute. */
  cacheable: boolean;
}
