import { joinBytes } from "#app/server/join-bytes.ts";
import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/timeout.ts";

/** How long a rendered page is given out (milliseconds), in memory and behind it together. */
export const KEEP = 60_000;

/** A page for every choice that visitors can make are about fifty. */
export const MAX_PAGES = 64;

/** Milliseconds. Rendering takes about as long. */
const READ_TIMEOUT = 50;

const RENDERED_AT = "x-rendered-at";
const NONCE = "x-rendered-nonce";

/** Headers in which pages are kept, which are not theirs. */
const keeping = new Set([RENDERED_AT, NONCE, "cache-control", "cf-cache-status"]);

/** A whole answer, cut where its nonce stood. */
interface CachedPage {
  renderedAt: number;
  headers: [name: string, pieces: string[]][];
  /** Encoded, which a string would be each time it is given out. */
  body: Uint8Array[];
}

export interface PageCache {
  /** A page that was rendered within the last minute, stamped with a nonce of its own, or null. */
  recall(key: string, newNonce: () => string): Promise<Response | null>;
  /** Keeps an answer, if it is one that can be, and hands it on. */
  keep(key: string, answer: Response, nonce: string, waitUntil: (work: Promise<unknown>) => void): Promise<Response>;
}

interface Behind {
  /** The Cache API, or null where there is none. */
  cache: Pick<Cache, "match" | "put"> | null;
  /** Names everything that pages are made of: a deployment and its configuration. */
  version: string;
  now: () => number;
}

/**
 * Pages as they were answered: in the memory of this isolate, and behind it in the Cache API, which the isolates of a
 * location share. Nothing in a kept page belongs to a visitor, and its nonce is a new one each time it is given out.
 */
export function createPageCache({ cache, version, now }: Behind): PageCache {
  const memory = new Map<string, CachedPage>();
  const address = (key: string) => `https://rendered.invalid/${version}${key}`;
  const isFresh = ({ renderedAt }: CachedPage) => now() - renderedAt < KEEP;

  function remember(key: string, page: CachedPage): void {
    memory.delete(key);
    memory.set(key, page);
    const [oldest] = memory.keys();
    if (memory.size > MAX_PAGES && oldest !== undefined) memory.delete(oldest);
  }

  return {
    async recall(key, newNonce) {
      const page = memory.get(key);
      if (page !== undefined && isFresh(page)) return stamp(page, newNonce());
      const shared = cache === null ? null : await read(cache, address(key));
      if (shared === null || !isFresh(shared)) return null;
      remember(key, shared);
      return stamp(shared, newNonce());
    },

    async keep(key, answer, nonce, waitUntil) {
      if (!isKeepable(answer)) return answer;
      const html = await answer.text();
      const renderedAt = now();
      remember(key, cut(answer.headers, html, nonce, renderedAt));
      if (cache !== null) waitUntil(write(cache, address(key), { headers: answer.headers, html, nonce, renderedAt }));
      return new Response(html, answer);
    },
  };
}

function isKeepable({ status, headers }: Response): boolean {
  return status === 200 && headers.get("Content-Type")?.startsWith("text/html") === true && !headers.has("Set-Cookie");
}

function cut(answered: Headers, html: string, nonce: string, renderedAt: number): CachedPage {
  const headers = [...answered].map(([name, value]): [string, string[]] => [name, value.split(nonce)]);
  return { renderedAt, headers, body: html.split(nonce).map((piece) => encoder.encode(piece)) };
}

function stamp({ headers, body }: CachedPage, nonce: string): Response {
  const between = encoder.encode(nonce);
  const stamped = joinBytes(body.flatMap((piece, index) => (index === 0 ? [piece] : [between, piece])));
  return new Response(stamped, { headers: headers.map(([name, pieces]) => [name, pieces.join(nonce)]) });
}

const encoder = new TextEncoder();

/** Never throws: what cannot be read in time is rendered. */
async function read(cache: Pick<Cache, "match">, address: string): Promise<CachedPage | null> {
  try {
    const found = await withTimeout(cache.match(address), READ_TIMEOUT, "cache");
    const nonce = found?.headers.get(NONCE);
    if (found === undefined || !nonce) return null;
    const headers = new Headers([...found.headers].filter(([name]) => !keeping.has(name)));
    return cut(headers, await found.text(), nonce, Number(found.headers.get(RENDERED_AT)));
  } catch (error) {
    logError("page-cache-failed", error, { doing: "read" });
    return null;
  }
}

interface Written {
  headers: Headers;
  html: string;
  nonce: string;
  renderedAt: number;
}

async function write(cache: Pick<Cache, "put">, address: string, page: Written): Promise<void> {
  const headers = new Headers(page.headers);
  headers.set("Cache-Control", `max-age=${KEEP / 1_000}`);
  headers.set(RENDERED_AT, String(page.renderedAt));
  headers.set(NONCE, page.nonce);
  await cache.put(address, new Response(page.html, { headers })).catch((error) => {
    logError("page-cache-failed", error, { doing: "write" });
  });
}
