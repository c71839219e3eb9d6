/** The page on which a token's holder sees and changes their own entry. */
export function yourDataUrl(siteUrl: string, token: string): string {
  return siteUrl + yourDataPath(token);
}

/** The same within the site. What a visitor has put into a token's place is escaped: it may end up in a header. */
export function yourDataPath(token: string): string {
  return `/your-data/${encodeURIComponent(token)}`;
}

/** Where mail programs POST for their own unsubscribe button (RFC 8058). */
export function oneClickUrl(siteUrl: string, token: string): string {
  return `${yourDataUrl(siteUrl, token)}/unsubscribe`;
}
