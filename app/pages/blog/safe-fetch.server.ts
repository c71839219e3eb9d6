import { BlogError } from "#app/pages/blog/blog-error.server.ts";
import { mayFetch } from "#app/server/public-address.server.ts";

/** Enough for http to https and on to a CDN. */
const MAX_REDIRECTS = 3;

interface SafeFetchInit {
  headers: Record<string, string>;
  /** Aborts the request and reading its body. */
  signal: AbortSignal;
  /** The one origin that may be private. */
  ghostOrigin: string;
}

/**
 * Fetches an address and follows redirects, checking every hop against private networks (SSRF).
 *
 * @throws {@link BlogError}
 */
export async function safeFetch(address: string, { headers, signal, ghostOrigin }: SafeFetchInit): Promise<Response> {
  let url = URL.parse(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if (url === null || !mayFetch(url, ghostOrigin)) {
      throw new BlogError("forbidden-address", "not a public address", { host: url?.host ?? "none" });
    }
    const response = await fetchOnce(url, { headers, signal, redirect: "manual" });
    const location = isRedirect(response) ? response.headers.get("Location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    url = URL.parse(location, url);
  }
  throw new BlogError("too-many-redirects", `more than ${MAX_REDIRECTS} redirects`);
}

/**
 * Reads a response body and cancels it beyond the limit, regardless of `Content-Length`.
 *
 * @param maxBytes limit
 * @throws {@link BlogError}
 */
export async function readAtMost(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read().catch((error: unknown) => throwBlogError(error, signal));
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      // Not awaited: a sender that never stops must not block us.
      reader.cancel().catch(() => {});
      throw new BlogError("too-large", `more than ${maxBytes} bytes`);
    }
    chunks.push(value);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

function fetchOnce(url: URL, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  return fetch(url, init).catch((error: unknown) => throwBlogError(error, init.signal));
}

function throwBlogError(error: unknown, signal: AbortSignal): never {
  if (signal.aborted) throw new BlogError("timeout", "no complete response in time");
  throw new BlogError("unreachable", "the connection failed", {}, error);
}

function isRedirect({ status }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
