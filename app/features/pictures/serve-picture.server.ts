import { picturePath } from "#app/owner/pictures/picture-path.ts";
import { findPicture } from "#app/owner/pictures/pictures.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { denyAllCsp } from "#app/server/http/csp.server.ts";
import { logError } from "#app/server/log.ts";
import { readPicturePath } from "#app/server/pictures/picture-address.ts";
import { notFound } from "#app/server/pictures/proxied-picture.server.ts";

export interface ServePictureDeps {
  db: Db;
  siteUrl: string;
  /** The Cache API; without effect on workers.dev. */
  responses: Pick<Cache, "match" | "put">;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Seconds: a year in browsers and email programs, since a picture never changes. */
const TTL = 365 * 24 * 60 * 60;

/** Seconds in Cloudflare's cache, so that a picture which is deleted is gone from it in a week. */
const CACHE_TTL = 7 * 24 * 60 * 60;

/**
 * Serves a picture that the owner uploaded to anyone who has its address. It is read from the database once for each location
 * of Cloudflare's cache, however many people open an email. 404 if there is none.
 *
 * @param request its path is that of a picture, or something else below `/pictures/`
 */
export async function servePicture(deps: ServePictureDeps, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const address = search === "" ? readPicturePath(pathname) : null;
  if (address === null) return notFound();
  const etag = `"${address.key}"`;
  const cacheKey = deps.siteUrl + pathname;
  const cached = await deps.responses.match(cacheKey).catch(() => undefined);
  const found = cached ?? (await readAndCache(deps, { key: address.key, pathname, cacheKey }));
  if (found === null) return notFound();
  const headers = {
    "Content-Type": found.headers.get("Content-Type") ?? "application/octet-stream",
    "Cache-Control": `public, max-age=${TTL}, immutable`,
    ETag: etag,
    "Content-Security-Policy": denyAllCsp,
    "X-Content-Type-Options": "nosniff",
  };
  if (isKnown(request.headers.get("If-None-Match"), etag)) {
    await found.body?.cancel();
    return new Response(null, { status: 304, headers });
  }
  return new Response(found.body, { headers: { ...headers, ...lengthOf(found) } });
}

async function readAndCache(
  { db, responses, waitUntil }: ServePictureDeps,
  { key, pathname, cacheKey }: { key: string; pathname: string; cacheKey: string },
): Promise<Response | null> {
  const picture = await findPicture(db, key);
  // A picture has one address: one with another size or type is none.
  if (picture === null || picturePath(picture) !== pathname) return null;
  const headers = {
    "Content-Type": `image/${picture.type}`,
    "Content-Length": String(picture.bytes.byteLength),
    "Cache-Control": `public, max-age=${CACHE_TTL}`,
  };
  const stored = responses.put(cacheKey, new Response(picture.bytes, { headers }));
  waitUntil(stored.catch((error: unknown) => logError("picture-not-cached", error)));
  return new Response(picture.bytes, { headers });
}

function lengthOf({ headers }: Response): Record<string, string> {
  const length = headers.get("Content-Length");
  return length === null ? {} : { "Content-Length": length };
}

/** Whether a client has the picture already. https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}
