export type SiteEvent = PageView | { kind: "joined"; source: string } | { kind: "clicked"; target: ClickTarget };

export interface PageView {
  kind: "page-viewed";
  path: string;
  /** The query string with its question mark, or empty. */
  search: string;
  title: string;
}

export type ClickTarget = "support" | "survey" | "share";

/** Tracks an event. Safe to call at any time: before consent it does nothing. */
export function track(event: SiteEvent): void {
  if (event.kind === "page-viewed") page = event;
  receive(event);
}

export function currentPage(): PageView | null {
  return page;
}

export function setReceiver(receiver: (event: SiteEvent) => void): void {
  receive = receiver;
}

let page: PageView | null = null;
let receive: (event: SiteEvent) => void = () => {};
