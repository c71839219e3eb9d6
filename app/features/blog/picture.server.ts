import { recordPictureFailure } from "#app/features/blog/blog-cache.server.ts";
import { PICTURES_PATH, sourcesOf } from "#app/features/blog/card-post.server.ts";
import { type BlogDeps, cachedPosts } from "#app/features/blog/posts.server.ts";
import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";
import {
  FAILURE_TTL,
  notFound,
  type PictureDeps,
  redirect,
  serveProxiedPicture,
} from "#app/server/pictures/proxied-picture.server.ts";

/** As many as `npm run generate:images` draws. */
const PLACEHOLDERS = 3;

/**
 * Serves only pictures of the currently cached posts: 404 for any other name. One that cannot be fetched redirects to a
 * drawing.
 *
 * @param url of the request, as it was sent
 * @param name the decoded last segment of its path
 */
export async function serveBlogPicture(deps: PictureDeps & BlogDeps, url: URL, name: string): Promise<Response> {
  const cached = await cachedPosts(deps);
  for (const [index, { featureImage }] of (cached?.posts?.posts ?? []).entries()) {
    if (featureImage === null) continue;
    const hash = await pictureHash(featureImage);
    const sources = sourcesOf(name, featureImage, hash);
    if (sources === null) continue;
    return serveProxiedPicture(deps, url, {
      path: `${PICTURES_PATH}/${name}`,
      sources,
      privateOrigin: deps.source && new URL(deps.source.url).origin,
      failureEvent: "blog-picture-failed",
      fallback: () => redirect(`/posts/stall-${(index % PLACEHOLDERS) + 1}.svg`, 302, FAILURE_TTL),
      onFailure: (failure) => recordPictureFailure(deps, hash, failure),
    });
  }
  return notFound();
}
