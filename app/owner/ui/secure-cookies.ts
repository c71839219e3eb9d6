/**
 * Whether the owner's cookies are `Secure` and named `__Host-`, which browsers accept only from this host. Everywhere
 * except on http://localhost, where WebKit refuses such cookies.
 */
export function hasSecureCookies(siteUrl: string): boolean {
  const { protocol, hostname } = new URL(siteUrl);
  return protocol !== "http:" || hostname !== "localhost";
}
