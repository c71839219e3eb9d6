/** A sign-up is a few hundred bytes, plus up to 2 KB for Turnstile's token. */
export const MAX_BODY_BYTES = 4096;

/**
 * Whether a state-changing request comes from this site. Browsers send `Origin` with every POST; a request without one
 * is not from a browser, so it cannot be a cross-site forgery, unless it says itself that it is cross-site.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Origin
 */
export function isSameOrigin(request: Request, siteUrl: string): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null) return fetchSite(request.headers) !== "cross-site";
  return origin === siteUrl || origin === new URL(request.url).origin;
}

/** `Sec-Fetch-Site` in lower case, as browsers send it; null without one. https://www.w3.org/TR/fetch-metadata/ */
export function fetchSite(headers: Headers): string | null {
  return headers.get("Sec-Fetch-Site")?.toLowerCase() ?? null;
}

/** Cloudflare's own limit for a request. https://developers.cloudflare.com/workers/platform/limits/ */
const MAX_REQUEST_BYTES = 100 * 1_048_576;

/** Browsers show the response only after sending the whole form. One of unknown size or over `maxSize` bytes is not read. */
export async function discardBody({ body, headers }: Request, maxSize = MAX_REQUEST_BYTES): Promise<void> {
  const size = Number(headers.get("Content-Length") ?? Number.POSITIVE_INFINITY);
  if (body === null || body.locked || size > maxSize) return;
  for await (const _ of body);
}
