import { BlogError } from "#app/pages/blog/blog-error.server.ts";
import type { PostSource } from "#app/pages/blog/ghost.server.ts";
import type { Post } from "#app/pages/blog/post.server.ts";
import { type CachedBlog, FAILED, keep, readCached } from "#app/pages/blog/post-cache.server.ts";
import { logError } from "#app/server/log.ts";
import { TimeoutError, withTimeout } from "#app/server/timeout.ts";

export interface BlogDeps {
  /** Null where no Ghost is configured. */
  source: PostSource | null;
  cache: KVNamespace;
  now: () => number;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Milliseconds. */
const FRESH = 5 * 60_000;
const PAUSE_AFTER_FAILURE = 30_000;

/** How long a page waits for posts (milliseconds), so that with late timers and all it is a quarter of a second at most. */
const PATIENCE = 200;

/**
 * For so long (milliseconds) an isolate believes its own last refresh: KV may go on showing a location what was there
 * before, a missing key included. https://developers.cloudflare.com/kv/concepts/how-kv-works/#consistency
 */
const KV_DELAY = 60_000;

/** A refresh that has not ended by now (milliseconds) never will: its request was cut off. */
const REFRESH_LOST = 10_000;

/**
 * The posts to show now: none means the samples, null means nothing at all.
 *
 * A kept list is given at once, and refreshed behind the response once it is five minutes old. Where none is kept, the
 * page waits a moment for the first; the refresh goes on without it. Never throws.
 */
export async function postsForPage(deps: BlogDeps): Promise<Post[] | null> {
  if (deps.source === null) return [];
  try {
    return await withTimeout(currentPosts(deps, deps.source), PATIENCE, "blog posts");
  } catch (error) {
    if (!(error instanceof TimeoutError)) logError("Error fetching blog posts", error);
    return null;
  }
}

/** What is kept of the source, without asking it. Null when KV does not say and this isolate does not know. */
export async function knownPosts(deps: BlogDeps): Promise<CachedBlog | null> {
  if (deps.source === null) return null;
  const memory = memoryOf(deps.cache);
  const recent = (at: number | undefined) => at !== undefined && deps.now() - at < KV_DELAY;
  const kept = await readCached(deps.cache, deps.source.url);
  const own: CachedBlog = {
    posts: recent(memory.posts?.fetchedAt) ? memory.posts : null,
    failure: recent(memory.failure?.failedAt) ? memory.failure : null,
  };
  if (kept === null) return own.posts === null && own.failure === null ? null : own;
  return {
    posts: later(own.posts, kept.posts, ({ fetchedAt }) => fetchedAt),
    failure: later(own.failure, kept.failure, ({ failedAt }) => failedAt),
  };
}

async function currentPosts(deps: BlogDeps, source: PostSource): Promise<Post[] | null> {
  const known = await knownPosts(deps);
  const posts = known?.posts?.posts ?? null;
  if (known !== null && !isRefreshDue(known, deps.now())) return posts;
  const refreshed = refresh(deps, source);
  return posts ?? refreshed;
}

function isRefreshDue({ posts, failure }: CachedBlog, now: number): boolean {
  const isFresh = posts !== null && now - posts.fetchedAt < FRESH;
  const isPaused = failure !== null && now - failure.failedAt < PAUSE_AFTER_FAILURE;
  return !isFresh && !isPaused;
}

/** Fetches and keeps the posts, once for all who ask meanwhile. Null after a failure; never rejects. */
function refresh(deps: BlogDeps, source: PostSource): Promise<Post[] | null> {
  const memory = memoryOf(deps.cache);
  const since = deps.now();
  if (memory.refreshing !== null && since - memory.refreshing.since < REFRESH_LOST) return memory.refreshing.posts;
  const refreshing = { since, posts: fetchAndKeep(deps, source) };
  memory.refreshing = refreshing;
  // A request of its own keeps this going, however early the visitor leaves.
  deps.waitUntil(
    refreshing.posts.then(() => {
      if (memory.refreshing === refreshing) memory.refreshing = null;
    }),
  );
  return refreshing.posts;
}

async function fetchAndKeep(deps: BlogDeps, source: PostSource): Promise<Post[] | null> {
  const memory = memoryOf(deps.cache);
  try {
    const posts = await source.fetchPosts();
    memory.posts = { source: source.url, fetchedAt: deps.now(), posts };
    deps.waitUntil(keep(deps.cache, "posts", memory.posts));
    return posts;
  } catch (error) {
    const { code, facts } = error instanceof BlogError ? error : { code: "unknown", facts: {} };
    logError("Error fetching blog posts", error, { code, ...facts });
    memory.failure = { source: source.url, failedAt: deps.now(), state: FAILED, code };
    deps.waitUntil(keep(deps.cache, "failure", memory.failure));
    return null;
  }
}

interface Memory extends CachedBlog {
  refreshing: { since: number; posts: Promise<Post[] | null> } | null;
}

/** Of this isolate; a binding is one object for as long as an isolate lives. */
const memories = new WeakMap<KVNamespace, Memory>();

function memoryOf(cache: KVNamespace): Memory {
  const memory = memories.get(cache) ?? { posts: null, failure: null, refreshing: null };
  memories.set(cache, memory);
  return memory;
}

function later<T>(one: T | null, other: T | null, at: (value: T) => number): T | null {
  if (one === null || other === null) return one ?? other;
  return at(one) >= at(other) ? one : other;
}
