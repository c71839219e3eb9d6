import type { Failure } from "#scripts/lib/resend-account.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";

/** Failures of single emails: refused, accepted with an error, or without a response. */
const failures: Failure[] = [
  apiError(500, "internal_server_error", "An unexpected error occurred."),
  "accepted-with-error",
  "accepted-without-response",
  apiError(409, "concurrent_idempotent_requests", "The original request is still in progress."),
  "broken",
  apiError(503, "service_unavailable", "The service is unavailable."),
];

/** Pauses all email for a second. */
const rateLimit = apiError(429, "rate_limit_exceeded", "Too many requests.", {
  "ratelimit-limit": "5",
  "ratelimit-remaining": "0",
  "ratelimit-reset": "1",
  "retry-after": "1",
});

/** Pauses all email until the runtime is restarted. */
const dailyQuota = apiError(429, "daily_quota_exceeded", "You have reached your daily quota.");

/** Of the first batches of a letter: none of them is known to be accepted. */
export const letterFailures: Failure[] = [
  apiError(500, "internal_server_error", "An unexpected error occurred."),
  "accepted-with-error",
  "broken",
  "accepted-without-response",
];

/** How the provider's nth request fails: one in three, ten by a rate limit, one by a quota before the first kill, and one later. */
export function providerFailure(signUps: number): (nth: number) => Failure | undefined {
  const between = Math.max(1, Math.floor(signUps / 10));
  const half = Math.floor(between / 2);
  return (nth) => {
    if (nth % between === half && nth < 10 * between) return rateLimit;
    if (nth === half + 1 || nth === signUps + 1) return dailyQuota;
    return nth % 3 === 0 ? failures[(nth / 3) % failures.length] : undefined;
  };
}
