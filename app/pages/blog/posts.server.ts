import type { PostSource } from "#app/pages/blog/ghost.server.ts";
import type { Post } from "#app/pages/blog/post.server.ts";
import { type CachedBlog, FAILED, getCached, putCached } from "#app/pages/blog/post-cache.server.ts";
import { failuresSinceSuccess, isRefreshDue, refreshRhythm } from "#app/pages/blog/refresh-rhythm.ts";
import { logError } from "#app/server/log.ts";
import { RemoteError } from "#app/server/pictures/remote-error.server.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { createSingleFlight } from "#app/server/single-flight.server.ts";
import { TimeoutError, withTimeout } from "#app/server/timeout.ts";

export interface BlogDeps {
  /** Null when no Ghost is configured. */
  source: PostSource | null;
  cache: KVNamespace;
  workersPlan: WorkersPlan;
  now: () => number;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Milliseconds a page waits for posts: at most a quarter of a second, late timers included. */
const PAGE_WAIT = 200;

/**
 * Milliseconds an isolate prefers its own last refresh: KV reads, missing keys included, can be stale for this long. See
 * `unstoredFor` for one that KV refused.
 * https://developers.cloudflare.com/kv/concepts/how-kv-works/#consistency
 */
const KV_STALENESS = 60_000;

/** Milliseconds after which a pending refresh counts as lost, because its request was cut off. */
const REFRESH_TIMEOUT = 10_000;

/**
 * The posts to show now. Empty: show sample posts. Null: show nothing.
 *
 * Stale-while-revalidate: a cached list is served at once and refreshed in the background when {@link isRefreshDue} says
 * so. Without one, the page waits up to {@link PAGE_WAIT}; the refresh continues after that. Never throws.
 */
export async function postsForPage(deps: BlogDeps): Promise<Post[] | null> {
  if (deps.source === null) return [];
  try {
    return await withTimeout(currentPosts(deps, deps.source), PAGE_WAIT, "blog posts");
  } catch (error) {
    if (!(error instanceof TimeoutError)) logError("Error fetching blog posts", error);
    return null;
  }
}

/** Reads the cache without fetching. Null when KV fails and this isolate remembers nothing recent. */
export async function cachedPosts(deps: BlogDeps): Promise<CachedBlog | null> {
  if (deps.source === null) return null;
  const memory = memoryOf(deps.cache);
  const trustFor = memory.isStored ? KV_STALENESS : refreshRhythm[deps.workersPlan].unstoredFor;
  const isRecent = (at: number | undefined) => at !== undefined && deps.now() - at < trustFor;
  const stored = await getCached(deps.cache, deps.source.url);
  const local: CachedBlog = {
    posts: isRecent(memory.posts?.fetchedAt) ? memory.posts : null,
    failure: isRecent(memory.failure?.failedAt) ? memory.failure : null,
  };
  if (stored === null) return local.posts === null && local.failure === null ? null : local;
  return {
    posts: newer(local.posts, stored.posts, ({ fetchedAt }) => fetchedAt),
    failure: newer(local.failure, stored.failure, ({ failedAt }) => failedAt),
  };
}

async function currentPosts(deps: BlogDeps, source: PostSource): Promise<Post[] | null> {
  const cached = await cachedPosts(deps);
  const posts = cached?.posts?.posts ?? null;
  if (cached !== null && !isRefreshDue(cached, deps.workersPlan, deps.now())) return posts;
  const refreshed = refresh(deps, source, cached);
  return posts ?? refreshed;
}

/** Fetches and caches the posts; concurrent callers share one fetch. Null after a failure; never rejects. */
function refresh(deps: BlogDeps, source: PostSource, cached: CachedBlog | null): Promise<Post[] | null> {
  return memoryOf(deps.cache).refresh(source.url, deps, () => fetchAndCache(deps, source, cached));
}

async function fetchAndCache(deps: BlogDeps, source: PostSource, cached: CachedBlog | null): Promise<Post[] | null> {
  const memory = memoryOf(deps.cache);
  try {
    const posts = await source.fetchPosts();
    memory.posts = { source: source.url, fetchedAt: deps.now(), posts };
    deps.waitUntil(store(deps, "posts"));
    return posts;
  } catch (error) {
    const { code, details } = error instanceof RemoteError ? error : { code: "unknown", details: {} };
    logError("Error fetching blog posts", error, { code, ...details });
    const failures = 1 + failuresSinceSuccess(cached);
    memory.failure = { source: source.url, failedAt: deps.now(), state: FAILED, code, failures };
    deps.waitUntil(store(deps, "failure"));
    return null;
  }
}

async function store(deps: BlogDeps, key: keyof CachedBlog): Promise<void> {
  const memory = memoryOf(deps.cache);
  memory.isStored = await putCached(deps.cache, key, memory[key]);
}

interface Memory extends CachedBlog {
  /** Whether KV has the last refresh. */
  isStored: boolean;
  refresh: ReturnType<typeof createSingleFlight<Post[] | null>>;
}

/** Per isolate: a binding is the same object for the isolate's lifetime. */
const memories = new WeakMap<KVNamespace, Memory>();

function memoryOf(cache: KVNamespace): Memory {
  const memory = memories.get(cache) ?? {
    posts: null,
    failure: null,
    isStored: true,
    refresh: createSingleFlight<Post[] | null>(REFRESH_TIMEOUT),
  };
  memories.set(cache, memory);
  return memory;
}

function newer<T>(one: T | null, other: T | null, at: (value: T) => number): T | null {
  if (one === null || other === null) return one ?? other;
  return at(one) >= at(other) ? one : other;
}
