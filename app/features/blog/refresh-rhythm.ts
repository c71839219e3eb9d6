import type { CachedBlog } from "#app/features/blog/post-cache.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";

type Rhythm = PlanLimits["blog"];

/*
 * KV shows a location what another one wrote only a minute later, so that at a fixed time each location and isolate would
 * refresh. With a spread, the first request that happens to refresh is the only one, or one of a few, however many
 * locations there are (https://cseweb.ucsd.edu/~avattani/papers/cache_stampede.pdf).
 */

/** @param random from 0 to 1; the default is `Math.random` */
export function isRefreshDue({ posts, failure }: CachedBlog, rhythm: Rhythm, now: number, random?: number): boolean {
  const failedAt = failure?.failedAt ?? 0;
  // Without posts the section is missing, so no chance delays the next attempt.
  if (posts === null) return now >= failedAt + rhythm.retryAfter;
  return isWriteDue(Math.max(posts.fetchedAt, failedAt), rhythm, now, random);
}

/** @param writtenAt when the last list or failure was (milliseconds since 1970) */
export function isWriteDue(
  writtenAt: number,
  { freshFor, spread }: Rhythm,
  now: number,
  random = Math.random(),
): boolean {
  const overdue = now - writtenAt - freshFor;
  if (overdue < 0) return false;
  return overdue >= spread || random < (overdue / spread) ** 3;
}
