import type { CachedBlog } from "#app/pages/blog/post-cache.server.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";

interface Rhythm {
  /** How long a list is not fetched again (milliseconds). */
  freshFor: number;
  /** How long Ghost is left alone after a failure, and after several in a row, each time twice as long (milliseconds). */
  backoff: number;
  maxBackoff: number;
  /** How long an isolate trusts its own last refresh if KV refused to store it (milliseconds). */
  unstoredFor: number;
  /** Time after these in which a refresh becomes ever more likely (milliseconds). */
  spread: number;
}

const MINUTE = 60_000;

/**
 * Every refresh writes to KV, and a day on the free plan includes 1,000 writes.
 * https://developers.cloudflare.com/kv/platform/limits/
 *
 * KV shows a location what another one wrote only a minute later, so that at a fixed time each location and isolate would
 * refresh. With a spread, the first request that happens to refresh is the only one, or one of a few, however many
 * locations there are (https://cseweb.ucsd.edu/~avattani/papers/cache_stampede.pdf).
 */
export const refreshRhythm: Record<WorkersPlan, Rhythm> = {
  free: {
    freshFor: 15 * MINUTE,
    backoff: 5 * MINUTE,
    maxBackoff: 40 * MINUTE,
    // KV refuses until midnight, and nothing else tells how old the list is.
    unstoredFor: 55 * MINUTE,
    spread: 15 * MINUTE,
  },
  paid: { freshFor: 5 * MINUTE, backoff: 0.5 * MINUTE, maxBackoff: 0.5 * MINUTE, unstoredFor: MINUTE, spread: 0 },
};

/** @param random from 0 to 1; the default is `Math.random` */
export function isRefreshDue(cached: CachedBlog, plan: WorkersPlan, now: number, random = Math.random()): boolean {
  const { freshFor, backoff, maxBackoff, spread } = refreshRhythm[plan];
  const { posts, failure } = cached;
  const freshUntil = posts === null ? 0 : posts.fetchedAt + freshFor;
  const pause = Math.min(backoff * 2 ** (failuresSinceSuccess(cached) - 1), maxBackoff);
  const overdue = now - Math.max(freshUntil, failure === null ? 0 : failure.failedAt + pause);
  if (overdue < 0) return false;
  return overdue >= spread || random < (overdue / spread) ** 3;
}

export function failuresSinceSuccess(cached: CachedBlog | null): number {
  const failure = cached?.failure ?? null;
  return failure === null || failure.failedAt < (cached?.posts?.fetchedAt ?? 0) ? 0 : failure.failures;
}
