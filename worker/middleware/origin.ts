/**
 * Whether a request that changes something comes from one of our own pages. Browsers send `Origin` with every POST;
 * a missing one is a program acting for itself, which no cookie of ours could help.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Origin
 */
export function isOwnOrigin(request: Request, siteUrl: string): boolean {
  const origin = request.headers.get("Origin");
  return origin === null || origin === new URL(request.url).origin || origin === siteUrl;
}
