import { type BlogDeps, knownPosts } from "#app/pages/blog/posts.server.ts";

/** How the blog is doing, for the owner. */
export interface BlogStatus {
  /** Samples where no Ghost is configured, or its list is empty; after a failure, the specification's words. */
  state: string;
  /** How many posts are kept. */
  posts?: number;
  /** When they were fetched. */
  fetchedAt?: string;
  /** Why and when the last refresh failed, unless one has succeeded since. */
  code?: string;
  failedAt?: string;
}

/** Tells what is kept, without asking the Ghost. */
export async function readBlogStatus(deps: BlogDeps): Promise<BlogStatus> {
  if (deps.source === null) return { state: "samples" };
  const known = await knownPosts(deps);
  if (known === null) return { state: "unknown" };
  const { posts, failure } = known;
  const kept = posts === null ? {} : { posts: posts.posts.length, fetchedAt: isoTime(posts.fetchedAt) };
  if (failure !== null && failure.failedAt > (posts?.fetchedAt ?? 0)) {
    return { state: failure.state, ...kept, code: failure.code, failedAt: isoTime(failure.failedAt) };
  }
  if (posts === null) return { state: "not asked yet" };
  return { state: posts.posts.length === 0 ? "samples" : "ok", ...kept };
}

function isoTime(moment: number): string {
  return new Date(moment).toISOString();
}
