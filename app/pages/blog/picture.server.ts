import { BlogError } from "#app/pages/blog/blog-error.server.ts";
import { pictureName } from "#app/pages/blog/picture-path.server.ts";
import { type BlogDeps, knownPosts } from "#app/pages/blog/posts.server.ts";
import { readAtMost, safeFetch } from "#app/pages/blog/safe-fetch.server.ts";
import { logError } from "#app/server/log.ts";

interface PictureDeps extends BlogDeps {
  /** Answers that were given before, by their URL. */
  answers: Pick<Cache, "match" | "put">;
}

/** What browsers show as a picture and nothing else: an SVG could bring scripts. */
const TYPES = ["image/avif", "image/webp", "image/png", "image/jpeg", "image/gif"];

/** Bytes. Ghost makes uploads smaller than this. */
const MAX_PICTURE = 2 * 1024 * 1024;

/** Milliseconds, from the request to the last byte. */
const PICTURE_TIMEOUT = 5_000;

/** Seconds. Ghost gives a changed picture a new address, so a week loses nothing; what failed is tried again soon. */
const KEEP = 7 * 24 * 60 * 60;
const KEEP_FAILURE = 60;

/**
 * A post's picture from our own origin, so that a visitor's browser asks nobody else.
 *
 * Serves only what stands in the list of posts that is kept right now: 404 for any other name, 502 when the picture
 * cannot be had or is none.
 *
 * @param url of the request; the answer is kept under it
 * @param name as {@link pictureName} gives it
 */
export async function servePicture(deps: PictureDeps, url: URL, name: string): Promise<Response> {
  const address = await addressOf(deps, name);
  if (address === null || deps.source === null) return refusal(404, "no-store");
  // Without the query, or each would be a picture to fetch.
  const key = url.origin + url.pathname;
  const kept = await deps.answers.match(key).catch(() => undefined);
  // A copy, since the front door adds headers, which those of a kept answer do not allow.
  if (kept !== undefined) return new Response(kept.body, kept);
  const answer = await fetchPicture(address, new URL(deps.source.url).origin);
  deps.waitUntil(deps.answers.put(key, answer.clone()).catch((error) => logError("blog-picture-not-cached", error)));
  return answer;
}

/** Where a picture of the current posts comes from. */
async function addressOf(deps: BlogDeps, name: string): Promise<string | null> {
  const known = await knownPosts(deps);
  for (const { featureImage } of known?.posts?.posts ?? []) {
    if (featureImage !== null && (await pictureName(featureImage)) === name) return featureImage;
  }
  return null;
}

async function fetchPicture(address: string, ghostOrigin: string): Promise<Response> {
  const signal = AbortSignal.timeout(PICTURE_TIMEOUT);
  try {
    const response = await safeFetch(address, { headers: { Accept: TYPES.join(", ") }, signal, ghostOrigin });
    const type = pictureType(response);
    const body = await readAtMost(response, MAX_PICTURE, signal);
    return new Response(body, { headers: pictureHeaders(type, KEEP) });
  } catch (error) {
    const { code, facts } = error instanceof BlogError ? error : { code: "unknown", facts: {} };
    logError("blog-picture-failed", error, { code, ...facts });
    return refusal(502, `public, max-age=${KEEP_FAILURE}`);
  }
}

/** @throws {@link BlogError} when the answer is no picture; its body is not read then */
function pictureType(response: Response): string {
  const type = response.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "none";
  const problem = response.ok ? (TYPES.includes(type) ? null : "not-a-picture") : "not-ok";
  if (problem === null) return type;
  response.body?.cancel().catch(() => {});
  throw new BlogError(problem, "no picture that can be shown", { status: response.status, type: type.slice(0, 100) });
}

/** For a file that a stranger made: it is what its type says, and opened by itself it can do nothing. */
function pictureHeaders(type: string, maxAge: number): Record<string, string> {
  return {
    "Content-Type": type,
    "Cache-Control": `public, max-age=${maxAge}, immutable`,
    "Content-Disposition": "inline",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
  };
}

function refusal(status: number, cacheControl: string): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": cacheControl };
  return new Response("There is no such picture.\n", { status, headers });
}
