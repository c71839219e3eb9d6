import { readPictureFailures } from "#app/features/blog/blog-cache.server.ts";
import { hasCopies, MAX_SMALL } from "#app/features/blog/card-post.server.ts";
import type { Post } from "#app/features/blog/post.server.ts";
import { type BlogDeps, cachedPosts } from "#app/features/blog/posts.server.ts";
import { kilobytes } from "#app/owner/ui/labels.ts";
import type { AttentionItem } from "#app/owner/ui/owner-context.ts";
import { pictureHash } from "#app/server/pictures/picture-hash.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

interface BlogStatus {
  /** `samples` when no Ghost is configured or its list is empty; after a failure, the specification's words. */
  state: string;
  posts?: number;
  fetchedAt?: string;
  /** How many of their pictures could not be fetched within the last hour. Absent when KV fails. */
  failingPictures?: number;
  /** How many of those are too heavy. Absent when there are none. */
  heavyPictures?: number;
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
  const failures = await pictureFailures(deps, posts?.posts ?? []);
  const heavy = (failures ?? []).filter(({ isHeavy }) => isHeavy).length;
  const pictures = failures && { failingPictures: failures.length, ...(heavy === 0 ? {} : { heavyPictures: heavy }) };
  const list = posts && { posts: posts.posts.length, fetchedAt: isoTime(posts.fetchedAt), ...pictures };
  if (failure !== null && failure.failedAt > (posts?.fetchedAt ?? 0)) {
    return { state: failure.state, ...list, code: failure.code, failedAt: isoTime(failure.failedAt) };
  }
  if (posts === null) return { state: "not asked yet" };
  return { state: posts.posts.length === 0 ? "samples" : "ok", ...list };
}

/** What the owner should know: whose pictures phones do not get. */
export async function heavyPictures(deps: BlogDeps): Promise<AttentionItem[]> {
  const posts = (await cachedPosts(deps))?.posts?.posts ?? [];
  const heavy = ((await pictureFailures(deps, posts)) ?? []).filter(({ isHeavy }) => isHeavy);
  return heavy.map(({ post, url, bytes }) => {
    const size = bytes === undefined ? `over ${MAX_SMALL / 1_024} KB` : kilobytes(bytes);
    const remedy = hasCopies(url)
      ? "Give the post a smaller picture in Ghost."
      : "Upload the picture, or a smaller copy of it, to Ghost.";
    return {
      text: `The picture of your post “${post.title}” is ${size}, too heavy for phones: they show a drawing instead. ${remedy}\nAdvanced: Cloudflare can make it smaller, too (docs/ghost-blog.md).`,
    };
  });
}

/** Posts whose pictures could not be shown lately, and why. Null when KV fails. */
async function pictureFailures({ cache }: BlogDeps, posts: Post[]) {
  const pictures = posts.flatMap((post) => (post.featureImage === null ? [] : [{ post, url: post.featureImage }]));
  const failures = await readPictureFailures(cache, await Promise.all(pictures.map(({ url }) => pictureHash(url))));
  return (
    failures && pictures.flatMap((picture, index) => (failures[index] ? [{ ...picture, ...failures[index] }] : []))
  );
}

function isoTime(moment: EpochMillis): string {
  return new Date(moment).toISOString();
}
