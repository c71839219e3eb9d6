import { BlogError } from "#app/pages/blog/blog-error.server.ts";
import { fetchPicture } from "#app/pages/blog/fetch-picture.server.ts";
import { notFound, pictureResponse } from "#app/pages/blog/picture.server.ts";
import { logError } from "#app/server/log.ts";

interface PictureDeps {
  /** The Cache API; without effect on workers.dev. */
  responses: Pick<Cache, "match" | "put">;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Milliseconds, from the request to the last byte. */
const TIMEOUT = 8_000;

/** Seconds until a picture that failed is fetched again. */
const FAILURE_TTL = 60;

/** Unlike a blog, letters have no pictures on private networks. */
const NO_PRIVATE_ORIGIN = "none";

/**
 * Serves a letter's picture from this origin, so that readers' browsers contact no third party: 404 without a source, 502
 * when the picture cannot be fetched or is not an image. Browsers then show its description.
 *
 * @param key the URL of the picture on this origin, without a query, which would allow endless cache misses
 * @param source the picture's address in the letter
 */
export async function servePicture(deps: PictureDeps, key: string, source: string | null): Promise<Response> {
  if (source === null) return notFound();
  const cached = await deps.responses.match(key).catch(() => undefined);
  // A copy: the middleware adds headers, and those of a cached response are immutable.
  if (cached !== undefined) return new Response(cached.body, cached);
  try {
    const { type, body } = await fetchPicture([source], NO_PRIVATE_ORIGIN, TIMEOUT);
    const response = pictureResponse(body, type);
    const put = deps.responses.put(key, response.clone());
    deps.waitUntil(put.catch((error) => logError("letter-picture-not-cached", error)));
    return response;
  } catch (error) {
    const { code, details } = error instanceof BlogError ? error : { code: "unknown", details: {} };
    logError("letter-picture-failed", error, { code, ...details });
    const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": `public, max-age=${FAILURE_TTL}` };
    return new Response("This picture cannot be shown right now.\n", { status: 502, headers });
  }
}
