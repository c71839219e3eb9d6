import { DEFAULT_RATE_LIMIT, requestInterval } from "#app/email/limits.ts";
import type { RateLimitState } from "#app/server/mailer.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

export type Pacer = ReturnType<typeof createPacer>;

/** Spaces requests evenly under the provider's rate limit. */
export function createPacer(now: () => EpochMillis, wait: (time: Millis) => Promise<void>) {
  let interval = requestInterval(DEFAULT_RATE_LIMIT);
  let nextAt: EpochMillis = 0;
  let requests: EpochMillis[] = [];
  const delay = (time: Millis) => {
    nextAt = Math.max(nextAt, now() + time);
  };
  return {
    /** Resolves when the next request may be made. */
    async next() {
      const at = Math.max(nextAt, now());
      nextAt = at + interval;
      requests = [...requests.filter((request) => request > at - 1_000), at];
      if (at > now()) await wait(at - now());
    },
    observe(rateLimit: RateLimitState | null) {
      if (rateLimit === null) return;
      interval = requestInterval(rateLimit.limit);
      // The site's own emails are using the window: they come first.
      if (rateLimit.remaining === 0 && requests.length <= rateLimit.limit - 2) delay(rateLimit.reset);
    },
    delay,
  };
}
