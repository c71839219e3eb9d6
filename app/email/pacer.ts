import { DEFAULT_RATE_LIMIT, requestInterval } from "#app/email/limits.ts";
import type { RateLimitState } from "#app/server/mailer.server.ts";

/** Spaces requests evenly under the provider's rate limit. */
export interface Pacer {
  /** Resolves when the next request may be made. */
  turn(): Promise<void>;
  observe(rateLimit: RateLimitState | null): void;
  delay(milliseconds: number): void;
}

export function createPacer(now: () => number, wait: (milliseconds: number) => Promise<void>): Pacer {
  let interval = requestInterval(DEFAULT_RATE_LIMIT);
  let next = 0;
  let turns: number[] = [];
  const delay = (milliseconds: number) => {
    next = Math.max(next, now() + milliseconds);
  };
  return {
    async turn() {
      const at = Math.max(next, now());
      next = at + interval;
      turns = [...turns.filter((turn) => turn > at - 1_000), at];
      if (at > now()) await wait(at - now());
    },
    observe(rateLimit) {
      if (rateLimit === null) return;
      interval = requestInterval(rateLimit.limit);
      // The site's own emails are using the window: they come first.
      if (rateLimit.remaining === 0 && turns.length <= rateLimit.limit - 2) delay(rateLimit.reset);
    },
    delay,
  };
}
