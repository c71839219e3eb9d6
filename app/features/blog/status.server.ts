import { countPictureFailures } from "#app/features/blog/blog-cache.server.ts";
import { type BlogDeps, cachedPosts } from "#app/features/blog/posts.server.ts";
import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

interface BlogStatus {
  /** `samples` when no Ghost is configured or its list is empty; after a failure, the specification's words. */
  state: string;
  posts?: number;
  fetchedAt?: string;
  /** How many of their pictures could not be fetched within the last hour. Absent when KV fails. */
  failingPictures?: number;
  /** The last failed refresh, unless one has succeeded since. */
  code?: string;
  failedAt?: string;
}

/** Reads the status from the cache, without asking Ghost. */
export async function readBlogStatus(deps: BlogDeps): Promise<BlogStatus> {
  if (deps.source === null) return { state: "samples" };
  const cached = await cachedPosts(deps);
  if (cached === null) return { state: "unknown" };
  const { posts, failure } = cached;
  const urls = (posts?.posts ?? []).flatMap(({ featureImage }) => featureImage ?? []);
  const failing = await countPictureFailures(deps.cache, await Promise.all(urls.map(pictureHash)));
  const pictures = failing === null ? {} : { failingPictures: failing };
  const list = posts && { posts: posts.posts.length, fetchedAt: isoTime(posts.fetchedAt), ...pictures };
  if (failure !== null && failure.failedAt > (posts?.fetchedAt ?? 0)) {
    return { state: failure.state, ...list, code: failure.code, failedAt: isoTime(failure.failedAt) };
  }
  if (posts === null) return { state: "not asked yet" };
  return { state: posts.posts.length === 0 ? "samples" : "ok", ...list };
}

function isoTime(moment: EpochMillis): string {
  return new Date(moment).toISOString();
}
