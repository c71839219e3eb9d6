import { recordPictureFailure } from "#app/features/blog/blog-cache.server.ts";
import { isSmall, PICTURES_PATH, sourcesOf } from "#app/features/blog/card-post.server.ts";
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
 * Serves only pictures of the currently cached posts: 404 for any other name. One that cannot be fetched, or is too heavy for
 * a phone, redirects to a drawing.
 *
 * @param url of the request, as it was sent
 * @param name the decoded last segment of its path
 * @param accept the header with the types of pictures that the browser shows
 */
export async function serveBlogPicture(
  deps: PictureDeps & BlogDeps,
  url: URL,
  { name, accept }: { name: string; accept: string },
): Promise<Response> {
  const format = accept.includes("image/avif") ? "avif" : "webp";
  const cached = await cachedPosts(deps);
  for (const [index, { featureImage }] of (cached?.posts?.posts ?? []).entries()) {
    if (featureImage === null) continue;
    const hash = await pictureHash(featureImage);
    const sources = sourcesOf(name, { sourceUrl: featureImage, hash, format });
    if (sources === null) continue;
    const response = await serveProxiedPicture(deps, url, {
      path: `${PICTURES_PATH}/${name}`,
      variant: format,
      sources,
      privateOrigin: deps.source && new URL(deps.source.url).origin,
      failureEvent: "blog-picture-failed",
      fallback: () => redirect(`/posts/stall-${(index % PLACEHOLDERS) + 1}.svg`, 302, FAILURE_TTL),
      // Other browsers may fail where nearly all do not.
      ...(format === "avif" && {
        onFailure: (failure) => {
          const isHeavy = failure.code === "too-large" && isSmall(name);
          return recordPictureFailure(deps, hash, { ...failure, isHeavy });
        },
      }),
    });
    response.headers.set("Vary", "Accept");
    return response;
  }
  return notFound();
}
