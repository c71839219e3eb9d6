import { RATE_LIMIT_PERIOD } from "#app/server/abuse/rate-limits.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** Requests that a key of the API may make in a minute at each of Cloudflare's locations: `API_LIMIT` in `wrangler.toml`. */
const KEY_QUOTA = 120;

/*
 * Requests in the current minute by the hash of their key. In memory, because Cloudflare's rate limiter says only whether a
 * request is within the limit. Other isolates of the location count theirs, so this gives the most that can be left.
 */
const counted = new Map<string, number>();

let currentMinute = 0;

/**
 * Counts a request of a key that works, of which there are few.
 *
 * @returns response headers with what is left, as draft-ietf-httpapi-ratelimit-headers defines them
 */
export function countRequest(hash: string, now: EpochMillis): Record<string, string> {
  const seconds = now / 1_000;
  const minute = Math.floor(seconds / RATE_LIMIT_PERIOD);
  if (minute !== currentMinute) counted.clear();
  currentMinute = minute;
  const count = (counted.get(hash) ?? 0) + 1;
  counted.set(hash, count);
  return quotaHeaders(Math.max(KEY_QUOTA - count, 0), Math.ceil((minute + 1) * RATE_LIMIT_PERIOD - seconds));
}

/** @param left requests @param seconds for how long no more than these are left */
export function quotaHeaders(left: number, seconds: number): Record<string, string> {
  return {
    "RateLimit-Policy": `"key";q=${KEY_QUOTA};w=${RATE_LIMIT_PERIOD}`,
    RateLimit: `"key";r=${left};t=${seconds}`,
  };
}
