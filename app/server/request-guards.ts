/** A sign-up has a few hundred bytes, and Turnstile's token up to 2 KB more. */
export const MAX_BODY_BYTES = 4096;

/**
 * Whether a request that changes something comes from one of our own pages. Browsers send `Origin` with every POST;
 * a missing one is a program acting for itself, which no cookie of ours could help.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Origin
 */
export function isSameOrigin(request: Request, siteUrl: string): boolean {
  const origin = request.headers.get("Origin");
  return origin === null || origin === new URL(request.url).origin || origin === siteUrl;
}
