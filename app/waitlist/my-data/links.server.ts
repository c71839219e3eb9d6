/** The page on which a token's holder sees and changes their own entry. */
export function myDataUrl(siteUrl: string, token: string): string {
  return siteUrl + myDataPath(token);
}

/** The same within the site. What a visitor has put into a token's place is escaped: it may end up in a header. */
export function myDataPath(token: string): string {
  return `/your-data/${encodeURIComponent(token)}`;
}

/** Where mail programs POST for their own unsubscribe button (RFC 8058). */
export function oneClickUrl(siteUrl: string, token: string): string {
  return `${myDataUrl(siteUrl, token)}/unsubscribe`;
}
