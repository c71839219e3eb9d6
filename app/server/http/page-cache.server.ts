import type { AppContext } from "#app/server/context.ts";
import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/time/timeout.ts";
import { type EpochMillis, MINUTE, type Millis } from "#app/server/time/units.ts";

/** From rendering, across both cache levels, unless the page's own `max-age` is shorter. */
export const TTL = MINUTE;

/** There are about sixty combinations of page and visitor preferences, and of the landing page with a friend’s link. */
export const MAX_PAGES = 80;

/** About as long as rendering takes. */
const READ_TIMEOUT: Millis = 50;

const EXPIRES_AT = "x-rendered-expires-at";
const NONCE = "x-rendered-nonce";

const cacheOnlyHeaders = new Set([EXPIRES_AT, NONCE, "cache-control", "cf-cache-status"]);

/** A complete response, without its nonce. */
interface CachedPage {
  expiresAt: EpochMillis;
  /** Those without the nonce. The runtime copies a `Headers` object faster than it reads a list. */
  headers: Headers;
  /** Those with the nonce, split at it. */
  nonceHeaders: [name: string, pieces: string[]][];
  /** Encoded once here instead of every time it is served. */
  body: Uint8Array<ArrayBuffer>;
  /** Where the nonce stands in the body. All nonces have the same length. */
  nonceOffsets: number[];
}

interface PageCacheOptions {
  cache: Pick<Cache, "match" | "put"> | null;
  /**
   * The site's own origin: the Cache API looks up foreign names.
   * https://developers.cloudflare.com/workers/runtime-apis/cache/
   */
  siteUrl: string;
  /** Identifies the deployment; part of every Cache API key. */
  version: string;
  now: () => EpochMillis;
}

/**
 * A two-level cache of rendered pages: the isolate's memory, then the Cache API, shared by the isolates of a location.
 * Cached pages contain no personal data, and every response gets a fresh nonce.
 */
export function createPageCache({ cache, siteUrl, version, now }: PageCacheOptions) {
  const memory = new Map<string, CachedPage>();
  const address = (key: string) => `${siteUrl}/${version}${key}`;
  const isFresh = ({ expiresAt }: CachedPage) => now() < expiresAt;

  function store(key: string, page: CachedPage): void {
    memory.delete(key);
    memory.set(key, page);
    const [oldest] = memory.keys();
    if (memory.size > MAX_PAGES && oldest !== undefined) memory.delete(oldest);
  }

  return {
    /** The cached page with a fresh nonce; null if there is none, or it is older than {@link TTL}. */
    async get(key: string, newNonce: () => string): Promise<Response | null> {
      const page = memory.get(key);
      if (page !== undefined && isFresh(page)) return withNonce(page, newNonce());
      const shared = cache === null ? null : await read(cache, address(key));
      if (shared === null || !isFresh(shared)) return null;
      store(key, shared);
      return withNonce(shared, newNonce());
    },

    /** @param longest for which the page may be served */
    async put(
      key: string,
      response: Response,
      { nonce, longest, waitUntil }: { nonce: string; longest: Millis; waitUntil: AppContext["waitUntil"] },
    ): Promise<Response> {
      if (!isCacheable(response)) return response;
      const { headers } = response;
      const html = await response.text();
      const lifetime = Math.min(longest, lifetimeOf(headers));
      const expiresAt = now() + lifetime;
      store(key, toCachedPage(headers, html, nonce, expiresAt));
      if (cache !== null) waitUntil(write(cache, address(key), { headers, html, nonce, expiresAt, lifetime }));
      return new Response(html, response);
    },
  };
}

function isCacheable({ status, headers }: Response): boolean {
  return status === 200 && headers.get("Content-Type")?.startsWith("text/html") === true && !headers.has("Set-Cookie");
}

function lifetimeOf(headers: Headers): Millis {
  const maxAge = /max-age=(\d+)/.exec(headers.get("Cache-Control") ?? "")?.[1];
  return maxAge === undefined ? TTL : Math.min(TTL, Number(maxAge) * 1_000);
}

function toCachedPage(original: Headers, html: string, nonce: string, expiresAt: EpochMillis): CachedPage {
  const headers = new Headers(original);
  const nonceHeaders: CachedPage["nonceHeaders"] = [];
  for (const [name, value] of original) {
    if (!value.includes(nonce)) continue;
    headers.delete(name);
    nonceHeaders.push([name, value.split(nonce)]);
  }
  const nonceOffsets: number[] = [];
  let offset = 0;
  for (const piece of html.split(nonce).slice(0, -1)) {
    offset += encoder.encode(piece).length;
    nonceOffsets.push(offset);
    offset += nonce.length;
  }
  return { expiresAt, headers, nonceHeaders, body: encoder.encode(html), nonceOffsets };
}

function withNonce({ headers, nonceHeaders, body, nonceOffsets }: CachedPage, nonce: string): Response {
  const page = body.slice();
  // Faster than TextEncoder for so few characters, all of them ASCII.
  for (const offset of nonceOffsets) {
    for (let index = 0; index < nonce.length; index += 1) page[offset + index] = nonce.charCodeAt(index);
  }
  const response = new Response(page, { headers });
  for (const [name, pieces] of nonceHeaders) response.headers.set(name, pieces.join(nonce));
  return response;
}

const encoder = new TextEncoder();

/** Never throws: null means the page is rendered again. */
async function read(cache: Pick<Cache, "match">, address: string): Promise<CachedPage | null> {
  try {
    const found = await withTimeout(cache.match(address), READ_TIMEOUT, "cache");
    const nonce = found?.headers.get(NONCE);
    if (found === undefined || !nonce) return null;
    const headers = new Headers([...found.headers].filter(([name]) => !cacheOnlyHeaders.has(name)));
    return toCachedPage(headers, await found.text(), nonce, Number(found.headers.get(EXPIRES_AT)));
  } catch (error) {
    logError("page-cache-failed", error, { doing: "read" });
    return null;
  }
}

async function write(
  cache: Pick<Cache, "put">,
  address: string,
  page: { headers: Headers; html: string; nonce: string; expiresAt: EpochMillis; lifetime: Millis },
): Promise<void> {
  const headers = new Headers(page.headers);
  headers.set("Cache-Control", `max-age=${page.lifetime / 1_000}`);
  headers.set(EXPIRES_AT, String(page.expiresAt));
  headers.set(NONCE, page.nonce);
  await cache.put(address, new Response(page.html, { headers })).catch((error) => {
    logError("page-cache-failed", error, { doing: "write" });
  });
}
