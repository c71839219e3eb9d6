/** The personal link of someone on the list. @param via the code of their entry */
export function personalLink(siteUrl: string, via: string): string {
  return `${siteUrl}/?via=${via}`;
}

/** The path of the link's QR code, a picture. */
export function qrCodePath(via: string): string {
  return `/qr/${via}.svg`;
}
