import type { CachedBlog } from "#app/pages/blog/post-cache.server.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";

interface Rhythm {
  /** How long a list is shown before Ghost is asked again, also after a failure (milliseconds). */
  freshFor: number;
  /** How long an isolate without a list leaves Ghost alone after a failure (milliseconds). */
  retryAfter: number;
  /** How long an isolate trusts its own last refresh if KV refused to store it (milliseconds). */
  unstoredFor: number;
  /** Time after `freshFor` in which a refresh becomes ever more likely (milliseconds). */
  spread: number;
}

const MINUTE = 60_000;

/**
 * Every refresh of a list writes to KV, and a day on the free plan includes 1,000 writes.
 * https://developers.cloudflare.com/kv/platform/limits/
 *
 * KV shows a location what another one wrote only a minute later, so that at a fixed time each location and isolate would
 * refresh. With a spread, the first request that happens to refresh is the only one, or one of a few, however many
 * locations there are (https://cseweb.ucsd.edu/~avattani/papers/cache_stampede.pdf).
 */
export const refreshRhythm: Record<WorkersPlan, Rhythm> = {
  free: {
    freshFor: 15 * MINUTE,
    retryAfter: MINUTE,
    // KV refuses until midnight, and nothing else tells how old the list is.
    unstoredFor: 55 * MINUTE,
    spread: 15 * MINUTE,
  },
  paid: { freshFor: 5 * MINUTE, retryAfter: 0.5 * MINUTE, unstoredFor: MINUTE, spread: 0 },
};

/** @param random from 0 to 1; the default is `Math.random` */
export function isRefreshDue({ posts, failure }: CachedBlog, plan: WorkersPlan, now: number, random?: number): boolean {
  const failedAt = failure?.failedAt ?? 0;
  // Without posts the section is missing, so no chance delays the next attempt.
  if (posts === null) return now >= failedAt + refreshRhythm[plan].retryAfter;
  return isWriteDue(Math.max(posts.fetchedAt, failedAt), plan, now, random);
}

/**
 * Whether KV may be written again.
 *
 * @param writtenAt when the last list or failure was (milliseconds since 1970)
 */
export function isWriteDue(writtenAt: number, plan: WorkersPlan, now: number, random = Math.random()): boolean {
  const { freshFor, spread } = refreshRhythm[plan];
  const overdue = now - writtenAt - freshFor;
  if (overdue < 0) return false;
  return overdue >= spread || random < (overdue / spread) ** 3;
}
