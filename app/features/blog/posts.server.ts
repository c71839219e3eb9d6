import { type CachedBlog, FAILED, getCached, putCached } from "#app/features/blog/blog-cache.server.ts";
import { ghostSource, type PostSource } from "#app/features/blog/ghost.server.ts";
import type { Post } from "#app/features/blog/post.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { AppContext } from "#app/server/context.ts";
import { logError } from "#app/server/log.ts";
import { RemoteError } from "#app/server/pictures/remote-error.server.ts";
import { createSingleFlight } from "#app/server/single-flight.server.ts";
import { TimeoutError, withTimeout } from "#app/server/time/timeout.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

export interface BlogDeps extends Pick<AppContext, "cache" | "now" | "waitUntil"> {
  /** Null when no Ghost is configured. */
  source: PostSource | null;
  plan: Pick<PlanLimits, "blog" | "pictureFailureTtl">;
}

export function blogDeps({ config, cache, plan, now, waitUntil }: AppContext): BlogDeps {
  const { GHOST_URL: url, GHOST_CONTENT_KEY: key } = config;
  const source = url === undefined || key === undefined ? null : ghostSource(url, key);
  return { source, cache, plan, now, waitUntil };
}

/** How long a page waits for posts: at most a quarter of a second, late timers included. */
const PAGE_WAIT: Millis = 200;

/**
 * How long an isolate prefers its own last refresh: KV reads, missing keys included, can be stale for this long. See
 * `unstoredFor` for one that KV refused.
 * https://developers.cloudflare.com/kv/concepts/how-kv-works/#consistency
 */
const KV_STALENESS: Millis = 60_000;

/** After this, a pending refresh counts as lost, because its request was cut off. */
const REFRESH_TIMEOUT: Millis = 10_000;

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
  const trustFor = memory.isStored ? KV_STALENESS : deps.plan.blog.unstoredFor;
  const source = await deps.source.cacheId();
  const isRecent = (at: EpochMillis) => deps.now() - at < trustFor;
  const stored = await getCached(deps.cache, source);
  const { posts, failure } = memory;
  const local: CachedBlog = {
    posts: posts?.source === source && isRecent(posts.fetchedAt) ? posts : null,
    failure: failure?.source === source && isRecent(failure.failedAt) ? failure : null,
  };
  if (stored?.failure) memory.recordedAt = Math.max(memory.recordedAt, stored.failure.failedAt);
  if (stored === null) return local.posts === null && local.failure === null ? null : local;
  return {
    posts: newer(local.posts, stored.posts, ({ fetchedAt }) => fetchedAt),
    failure: newer(local.failure, stored.failure, ({ failedAt }) => failedAt),
  };
}

async function currentPosts(deps: BlogDeps, source: PostSource): Promise<Post[] | null> {
  const id = await source.cacheId();
  const cached = await cachedPosts(deps);
  const posts = cached?.posts?.posts ?? null;
  if (cached !== null && !isRefreshDue(cached, deps.plan.blog, deps.now())) return posts;
  const refreshed = memoryOf(deps.cache).refresh(id, deps, () => fetchAndCache(deps, source, id, posts !== null));
  return posts ?? refreshed;
}

/**
 * Fetches and caches the posts. Null after a failure; never rejects. While there are no posts, each isolate asks Ghost every
 * minute, and one of them writes the failure now and then: KV may not be written as often.
 */
async function fetchAndCache(
  deps: BlogDeps,
  source: PostSource,
  id: string,
  hasPosts: boolean,
): Promise<Post[] | null> {
  const memory = memoryOf(deps.cache);
  try {
    const posts = await source.fetchPosts();
    memory.posts = { source: id, fetchedAt: deps.now(), posts };
    deps.waitUntil(store(deps, "posts"));
    return posts;
  } catch (error) {
    const { code, details } = error instanceof RemoteError ? error : { code: "unknown", details: {} };
    logError("Error fetching blog posts", error, { code, ...details });
    memory.failure = { source: id, failedAt: deps.now(), state: FAILED, code };
    if (hasPosts || isWriteDue(memory.recordedAt, deps.plan.blog, deps.now())) deps.waitUntil(store(deps, "failure"));
    return null;
  }
}

async function store(deps: BlogDeps, key: keyof CachedBlog): Promise<void> {
  const memory = memoryOf(deps.cache);
  memory.isStored = await putCached(deps.cache, key, memory[key]);
  if (key === "failure" && memory.isStored) memory.recordedAt = memory.failure?.failedAt ?? 0;
}

interface Memory extends CachedBlog {
  /** Whether KV took the last write. */
  isStored: boolean;
  /** When the failure happened that KV has, as far as this isolate knows. */
  recordedAt: EpochMillis;
  refresh: ReturnType<typeof createSingleFlight<Post[] | null>>;
}

/** Per isolate: a binding is the same object for the isolate's lifetime. */
const memories = new WeakMap<KVNamespace, Memory>();

function memoryOf(cache: KVNamespace): Memory {
  const memory = memories.get(cache) ?? {
    posts: null,
    failure: null,
    isStored: true,
    recordedAt: 0,
    refresh: createSingleFlight<Post[] | null>(REFRESH_TIMEOUT),
  };
  memories.set(cache, memory);
  return memory;
}

function newer<T>(one: T | null, other: T | null, at: (value: T) => number): T | null {
  if (one === null || other === null) return one ?? other;
  return at(one) >= at(other) ? one : other;
}

type Rhythm = PlanLimits["blog"];

/*
 * KV shows a location what another one wrote only a minute later, so that at a fixed time each location and isolate would
 * refresh. With a spread, the first request that happens to refresh is the only one, or one of a few, however many
 * locations there are (https://cseweb.ucsd.edu/~avattani/papers/cache_stampede.pdf).
 */

function isRefreshDue({ posts, failure }: CachedBlog, rhythm: Rhythm, now: EpochMillis): boolean {
  const failedAt = failure?.failedAt ?? 0;
  // Without posts the section is missing, so no chance delays the next attempt.
  if (posts === null) return now >= failedAt + rhythm.retryAfter;
  return isWriteDue(Math.max(posts.fetchedAt, failedAt), rhythm, now);
}

/** @param writtenAt when the last list or failure was */
function isWriteDue(writtenAt: EpochMillis, { freshFor, spread }: Rhythm, now: EpochMillis): boolean {
  const overdue = now - writtenAt - freshFor;
  if (overdue < 0) return false;
  return overdue >= spread || Math.random() < (overdue / spread) ** 3;
}
