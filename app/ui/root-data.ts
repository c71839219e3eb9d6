import { useRouteLoaderData } from "react-router";

/** What pages say once the product is open. The server sends it, so that browsers download none of it before. */
export interface Launch {
  /** Of the product. */
  url: string;
  button: string;
  shortButton: string;
  lead: string;
  note: string;
  /** The site in a sentence, for search engines and shared links. */
  description: string;
}

export interface RootData {
  /** The canonical origin, without a trailing slash. */
  siteUrl: string;
  turnstileSiteKey: string | undefined;
  /** Prefixes of the pages with a CSP of their own. */
  ownCspPaths: string[];
  /** Absent before the launch, when `LAUNCH_URL` is unset. */
  launch?: Launch;
}

/** Undefined if the root loader failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<RootData>("root");
}
