/** A sign-up is a few hundred bytes, plus up to 2 KB for Turnstile's token. */
export const MAX_BODY_BYTES = 4096;

/**
 * Whether a state-changing request comes from this site. Browsers send `Origin` with every POST; a request without one
 * is not from a browser, so it cannot be a cross-site forgery, unless it says itself that it is cross-site.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Origin
 */
export function isSameOrigin(request: Request, siteUrl: string): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null) return request.headers.get("Sec-Fetch-Site") !== "cross-site";
  return origin === siteUrl || origin === new URL(request.url).origin;
}
