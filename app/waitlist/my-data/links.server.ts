import { UNDER_WAY } from "#app/waitlist/my-data/entry-view.ts";

export function myDataUrl(siteUrl: string, token: string): string {
  return siteUrl + myDataPath(token);
}

/** The token is escaped: it may be visitor input, and may end up in a header. */
export function myDataPath(token: string): string {
  return `/your-data/${encodeURIComponent(token)}`;
}

export function unsubscribePath(token: string): string {
  return `/unsubscribe/${encodeURIComponent(token)}`;
}

/** The query with which these pages show that something was changed. */
export function changeQuery(change: string, { changed, underWay }: { changed: boolean; underWay?: boolean }): string {
  return `?${changed ? "done" : "already"}=${change}${underWay ? `&${UNDER_WAY}` : ""}`;
}

export function confirmPath(token: string): string {
  return `/confirm/${encodeURIComponent(token)}`;
}

/** URL to which email clients POST for one-click unsubscribe (RFC 8058). */
export function oneClickUrl(unsubscribeUrl: string): string {
  return `${unsubscribeUrl}/one-click`;
}
