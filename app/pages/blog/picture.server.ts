import { BlogError } from "#app/pages/blog/blog-error.server.ts";
import { fetchPicture } from "#app/pages/blog/fetch-picture.server.ts";
import { clearPictureFailure, recordPictureFailure } from "#app/pages/blog/picture-failures.server.ts";
import { PICTURES_PATH, pictureHash, sourcesOf } from "#app/pages/blog/picture-path.server.ts";
import { type BlogDeps, cachedPosts } from "#app/pages/blog/posts.server.ts";
import { logError } from "#app/server/log.ts";
import { createSingleFlight } from "#app/server/single-flight.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

interface PictureDeps extends BlogDeps {
  siteUrl: string;
  /** The Cache API; without effect on workers.dev. */
  responses: Pick<Cache, "match" | "put">;
}

interface Picture {
  /** Identifies the picture in all its sizes. */
  hash: string;
  /** Addresses to try, in order. */
  sources: string[];
  /** Of its post in the list. */
  index: number;
}

/** Seconds. Ghost gives a changed picture a new URL, so a week is safe. */
const TTL = 7 * 24 * 60 * 60;

/** Seconds until a picture that failed is fetched again. */
const FAILURE_TTL = 60;

/** Seconds. The canonical path never changes. */
const REDIRECT_TTL = 60 * 60;

/** Milliseconds, more than fetching and storing a picture may take. */
const FILL_TIMEOUT = 15_000;

/** Milliseconds for which an isolate does not try the Cache API again after it has not kept a picture. */
const CACHELESS_FOR = 60_000;

/** Milliseconds, from the request to the last byte: to the cache, and to a visitor who may have a slow connection. */
const CACHE_TIMEOUT = 8_000;
const VISITOR_TIMEOUT = 60_000;

/** As many as `npm run generate:images` draws. */
const PLACEHOLDERS = 3;

/**
 * Serves a post's picture from this origin, so that visitors' browsers contact no third party. It is streamed into the
 * cache once for any number of requests, and from there to each visitor.
 *
 * Only pictures of the currently cached posts are served: 404 for any other name. Other spellings of a path redirect to
 * the canonical one, and a picture that cannot be fetched to a drawing.
 *
 * @param url of the request, as it was sent
 * @param name the decoded last segment of its path
 */
export async function servePicture(deps: PictureDeps, url: URL, name: string): Promise<Response> {
  const picture = await findPicture(deps, name);
  if (picture === null) return notFound();
  const path = `${PICTURES_PATH}/${name}`;
  if (url.pathname + url.search !== path) return redirect(path, 301, REDIRECT_TTL);
  const key = deps.siteUrl + path;
  const cached = await fromCache(deps, key);
  if (cached !== null) return cached;
  const memory = memoryOf(deps.cache);
  if (deps.now() < (memory.failedUntil.get(key) ?? 0)) return placeholder(picture);
  if (deps.now() < memory.cachelessUntil) return serveUncached(deps, picture, key);
  const filled = memory.fill(key, deps, () => fillCache(deps, picture, key));
  if (!(await withTimeout(filled, FILL_TIMEOUT, "picture").catch(() => false))) return placeholder(picture);
  const stored = await fromCache(deps, key);
  if (stored !== null) return stored;
  memory.cachelessUntil = deps.now() + CACHELESS_FOR;
  return serveUncached(deps, picture, key);
}

async function findPicture(deps: BlogDeps, name: string): Promise<Picture | null> {
  const cached = await cachedPosts(deps);
  for (const [index, { featureImage }] of (cached?.posts?.posts ?? []).entries()) {
    if (featureImage === null) continue;
    const hash = await pictureHash(featureImage);
    const sources = sourcesOf(name, featureImage, hash);
    if (sources !== null) return { hash, sources, index };
  }
  return null;
}

/** Streams a picture into the cache. False after a failure; never rejects. */
async function fillCache(deps: PictureDeps, picture: Picture, key: string): Promise<boolean> {
  try {
    const { type, body, failure } = await fetchPicture(picture.sources, ghostOrigin(deps), CACHE_TIMEOUT);
    const headers = { "Content-Type": type, "Cache-Control": `public, max-age=${TTL}` };
    await deps.responses.put(key, new Response(body, { headers })).catch((error: unknown) => {
      throw failure() ?? error;
    });
    deps.waitUntil(clearPictureFailure(deps.cache, picture.hash));
    return true;
  } catch (error) {
    await noteFailure(deps, picture, key, error);
    return false;
  }
}

/** Streams a picture straight to the visitor. */
async function serveUncached(deps: PictureDeps, picture: Picture, key: string): Promise<Response> {
  try {
    const { type, body } = await fetchPicture(picture.sources, ghostOrigin(deps), VISITOR_TIMEOUT);
    return pictureResponse(body, type);
  } catch (error) {
    await noteFailure(deps, picture, key, error);
    return placeholder(picture);
  }
}

async function noteFailure(deps: PictureDeps, { hash }: Picture, key: string, error: unknown): Promise<void> {
  const { code, details } = error instanceof BlogError ? error : { code: "unknown", details: {} };
  logError("blog-picture-failed", error, { code, ...details });
  memoryOf(deps.cache).failedUntil.set(key, deps.now() + FAILURE_TTL * 1_000);
  deps.waitUntil(recordPictureFailure(deps.cache, hash, { code, failedAt: deps.now() }));
}

/** Only called with a source: without one there are no pictures. */
function ghostOrigin({ source }: PictureDeps): string {
  return source === null ? "none" : new URL(source.url).origin;
}

async function fromCache({ responses }: PictureDeps, key: string): Promise<Response | null> {
  const cached = await responses.match(key).catch(() => undefined);
  const type = cached?.headers.get("Content-Type");
  return cached === undefined || !type ? null : pictureResponse(cached.body, type);
}

/** Headers for untrusted files: no content sniffing, and a sandbox when opened directly. */
export function pictureResponse(body: ReadableStream | null, type: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": `public, max-age=${TTL}, immutable`,
      "Content-Disposition": "inline",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

function placeholder({ index }: Picture): Response {
  return redirect(`/posts/stall-${(index % PLACEHOLDERS) + 1}.svg`, 302, FAILURE_TTL);
}

function redirect(path: string, status: 301 | 302, maxAge: number): Response {
  return new Response(null, { status, headers: { Location: path, "Cache-Control": `public, max-age=${maxAge}` } });
}

export function notFound(): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response("There is no such picture.\n", { status: 404, headers });
}

interface Memory {
  fill: ReturnType<typeof createSingleFlight<boolean>>;
  failedUntil: Map<string, number>;
  cachelessUntil: number;
}

/** Per isolate: a binding is the same object for the isolate's lifetime. */
const memories = new WeakMap<KVNamespace, Memory>();

function memoryOf(cache: KVNamespace): Memory {
  const fill = () => createSingleFlight<boolean>(FILL_TIMEOUT);
  const memory = memories.get(cache) ?? { fill: fill(), failedUntil: new Map(), cachelessUntil: 0 };
  memories.set(cache, memory);
  return memory;
}
