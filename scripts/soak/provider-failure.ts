import { type Failure, internalError } from "#scripts/lib/resend-account.ts";
import { apiError } from "#scripts/lib/resend-rules.ts";

/** Failures of single requests: refused, accepted with an error, or without a response. */
export const failures: Failure[] = [
  internalError,
  "accepted-with-error",
  "broken",
  "accepted-without-response",
  apiError(409, "concurrent_idempotent_requests", "The original request is still in progress."),
];

/** Pauses all email for a second. */
const rateLimit = apiError(429, "rate_limit_exceeded", "Too many requests.", { "retry-after": "1" });

/** Pauses all email until the runtime is restarted. */
const dailyQuota = apiError(429, "daily_quota_exceeded", "You have reached your daily quota.");

/**
 * How the provider's nth request fails: one in three, ten by a rate limit, one by a quota before the first kill, and one
 * later. All of them while the provider is down.
 */
export function providerFailure(nth: number, signUps: number, isDown: boolean): Failure | undefined {
  const between = Math.ceil(signUps / 10);
  if (isDown) return failures[nth % failures.length];
  if (nth % between === 0 && nth <= signUps) return rateLimit;
  if (nth === Math.ceil(between / 2) || nth === signUps + 1) return dailyQuota;
  return nth % 3 === 0 ? failures[(nth / 3) % failures.length] : undefined;
}
