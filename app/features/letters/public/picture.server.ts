import { letterPath } from "#app/features/letters/public/page.ts";
import { findPublicBody } from "#app/features/letters/public/public-letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import {
  FAILURE_TTL,
  notFound,
  type PictureDeps,
  serveProxiedPicture,
} from "#app/server/pictures/proxied-picture.server.ts";

/**
 * Serves a picture of a public letter from this origin: 404 if there is none, 502 while the picture cannot be fetched or
 * is not an image. Browsers then show its description.
 *
 * @param url of the request, as it was sent; `id` and `name` are decoded segments of its path: the letter's and the picture's
 */
export async function serveLetterPicture(
  deps: PictureDeps & { db: Db },
  url: URL,
  { id, name }: { id: string; name: string },
): Promise<Response> {
  const found = /^[0-9a-f]{32}$/.test(name) ? await findPublicBody(deps.db, id) : null;
  if (found === null) return notFound();
  const { letterPictures } = await import("#app/features/letters/public/read-body.server.ts");
  const source = (await letterPictures(found.body)).get(name);
  if (source === undefined) return notFound();
  return serveProxiedPicture(deps, url, {
    path: `${letterPath(found.id)}/pictures/${name}`,
    sources: [{ url: source }],
    privateOrigin: null,
    failureEvent: "letter-picture-failed",
    fallback: () => new Response("This picture cannot be shown right now.\n", { status: 502, headers }),
  });
}

const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": `public, max-age=${FAILURE_TTL}` };
