/** What happens on the site that may be counted, once a visitor has agreed. */
export type SiteEvent = PageView | { kind: "joined"; source: string } | { kind: "clicked"; target: ClickTarget };

export interface PageView {
  kind: "page-viewed";
  path: string;
  /** The query string, with its question mark, or nothing. */
  search: string;
  title: string;
}

export type ClickTarget = "support" | "survey" | "share";

/**
 * Tells whoever counts, which before consent is nobody: features call this without knowing what is loaded, if
 * anything.
 */
export function track(event: SiteEvent): void {
  if (event.kind === "page-viewed") shown = event;
  receive(event);
}

/** The page that the visitor is on. */
export function shownPage(): PageView | null {
  return shown;
}

export function deliverTo(receiver: (event: SiteEvent) => void): void {
  receive = receiver;
}

let shown: PageView | null = null;
let receive: (event: SiteEvent) => void = () => {};
