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

/** Puts all email on hold for a second. */
const rateLimit = apiError(429, "rate_limit_exceeded", "Too many requests.", {
  "ratelimit-limit": "5",
  "ratelimit-remaining": "0",
  "ratelimit-reset": "1",
  "retry-after": "1",
});

const RATE_LIMITS = 10;

/** Puts all email on hold until the runtime is restarted. */
const dailyQuota = apiError(429, "daily_quota_exceeded", "You have reached your daily quota.");

/** How the provider's requests fail: one in three, and now and then a limit that concerns all email. */
export function providerFailures(signUps: number) {
  const counts = { "rate limits": 0, "daily quotas": 0 };
  // Before the first kill, and while the outbox is drained.
  const quotaAt = [Math.floor(signUps / 20), signUps];
  const between = Math.max(1, Math.floor(signUps / RATE_LIMITS));
  return {
    counts,
    next(nth: number): Failure | undefined {
      if (nth % between === Math.floor(between / 2) && counts["rate limits"] < RATE_LIMITS) {
        counts["rate limits"] += 1;
        return rateLimit;
      }
      if (nth >= (quotaAt[counts["daily quotas"]] ?? Number.POSITIVE_INFINITY)) {
        counts["daily quotas"] += 1;
        return dailyQuota;
      }
      return nth % 3 === 0 ? failures[(nth / 3) % failures.length] : undefined;
    },
  };
}
