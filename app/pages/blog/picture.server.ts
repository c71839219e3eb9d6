import { BlogError } from "#app/pages/blog/blog-error.server.ts";
import { pictureName } from "#app/pages/blog/picture-path.server.ts";
import { type BlogDeps, cachedPosts } from "#app/pages/blog/posts.server.ts";
import { readAtMost, safeFetch } from "#app/pages/blog/safe-fetch.server.ts";
import { logError } from "#app/server/log.ts";

interface PictureDeps extends BlogDeps {
  /** Responses cached by URL. */
  responses: Pick<Cache, "match" | "put">;
}

/** No SVG: it could contain scripts. */
const IMAGE_TYPES = ["image/avif", "image/webp", "image/png", "image/jpeg", "image/gif"];

/** Bytes. Ghost scales uploads down to less than this. */
const MAX_PICTURE = 2 * 1024 * 1024;

/** Milliseconds, from the request to the last byte. */
const PICTURE_TIMEOUT = 5_000;

/** Seconds. Ghost gives a changed picture a new URL, so a week is safe; failures are retried soon. */
const TTL = 7 * 24 * 60 * 60;
const FAILURE_TTL = 60;

/**
 * Serves a post's picture from this origin, so that visitors' browsers contact no third party.
 *
 * Only pictures of the currently cached posts are served: 404 for any other name, 502 when the picture cannot be
 * fetched or is not an image.
 *
 * @param url of the request, the cache key
 * @param name from {@link pictureName}
 */
export async function servePicture(deps: PictureDeps, url: URL, name: string): Promise<Response> {
  const sourceUrl = await findSourceUrl(deps, name);
  if (sourceUrl === null || deps.source === null) return errorResponse(404, "no-store");
  // Without the query, which would allow endless cache misses.
  const key = url.origin + url.pathname;
  const cached = await deps.responses.match(key).catch(() => undefined);
  // A copy: the middleware adds headers, and those of a cached response are immutable.
  if (cached !== undefined) return new Response(cached.body, cached);
  const response = await fetchPicture(sourceUrl, new URL(deps.source.url).origin);
  const put = deps.responses.put(key, response.clone());
  deps.waitUntil(put.catch((error) => logError("blog-picture-not-cached", error)));
  return response;
}

async function findSourceUrl(deps: BlogDeps, name: string): Promise<string | null> {
  const cached = await cachedPosts(deps);
  for (const { featureImage } of cached?.posts?.posts ?? []) {
    if (featureImage !== null && (await pictureName(featureImage)) === name) return featureImage;
  }
  return null;
}

async function fetchPicture(sourceUrl: string, ghostOrigin: string): Promise<Response> {
  const signal = AbortSignal.timeout(PICTURE_TIMEOUT);
  try {
    const response = await safeFetch(sourceUrl, { headers: { Accept: IMAGE_TYPES.join(", ") }, signal, ghostOrigin });
    const type = pictureType(response);
    const body = await readAtMost(response, MAX_PICTURE, signal);
    return new Response(body, { headers: pictureHeaders(type, TTL) });
  } catch (error) {
    const { code, details } = error instanceof BlogError ? error : { code: "unknown", details: {} };
    logError("blog-picture-failed", error, { code, ...details });
    return errorResponse(502, `public, max-age=${FAILURE_TTL}`);
  }
}

/** @throws {@link BlogError} when the response is not an image; cancels the body unread */
function pictureType(response: Response): string {
  const type = response.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "none";
  const problem = response.ok ? (IMAGE_TYPES.includes(type) ? null : "not-a-picture") : "not-ok";
  if (problem === null) return type;
  response.body?.cancel().catch(() => {});
  throw new BlogError(problem, "not a supported image", { status: response.status, type: type.slice(0, 100) });
}

/** Headers for untrusted files: no content sniffing, and a sandbox when opened directly. */
function pictureHeaders(type: string, maxAge: number): Record<string, string> {
  return {
    "Content-Type": type,
    "Cache-Control": `public, max-age=${maxAge}, immutable`,
    "Content-Disposition": "inline",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
  };
}

function errorResponse(status: number, cacheControl: string): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": cacheControl };
  return new Response("There is no such picture.\n", { status, headers });
}
