/** The page on which a token's holder sees and changes their own entry. */
export function yourDataUrl(siteUrl: string, token: string): string {
  return `${siteUrl}/your-data/${token}`;
}

/** Where mail programs POST for their own unsubscribe button (RFC 8058). */
export function oneClickUrl(siteUrl: string, token: string): string {
  return `${yourDataUrl(siteUrl, token)}/unsubscribe`;
}
