import type { RateLimitState } from "#app/server/mailer.server.ts";
import { type EpochMillis, HOUR, MINUTE, type Millis } from "#app/server/time/units.ts";

/* How many emails may be sent: the send limit, its shares, the provider's rate, and what pauses emails; and how often one is tried. */

/** How long claimed emails and batches of letters stay leased: well over the time they take to send. */
export const LEASE: Millis = 2 * MINUTE;

/** Of a single email: about a day and a half. */
export const emailRetries = { maxAttempts: 10, delay: 5 * MINUTE, maxDelay: 12 * HOUR };

/** Of a batch without a known outcome, until the provider has forgotten its key. */
export const batchRetries = { delay: MINUTE, maxDelay: 30 * MINUTE };

/** How many emails to unverified sign-ups are sent in an hour: at most half of the send limit. */
export function unverifiedPerHour(perHour: number): number {
  return Math.ceil(perHour / 2);
}

/** The higher limit for runs that also serve small networks: one email of each may exceed the half. */
export function unverifiedWithSmallNetworksPerHour(perHour: number): number {
  return Math.ceil((perHour * 3) / 4);
}

/** How many welcome emails to imported people are sent in an hour: together with others they never use up the send limit. */
export function importedPerHour(perHour: number): number {
  return Math.ceil(perHour / 4);
}

/** Requests a second that Resend accepts by default. https://resend.com/docs/api-reference/rate-limit */
export const DEFAULT_RATE_LIMIT = 5;

/** The share of the provider's rate limit that letters use. */
const RATE_SHARE = 0.92;

/** Between two batches. */
export function requestInterval(rateLimit: number): Millis {
  return 1_000 / (rateLimit * RATE_SHARE);
}

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

/**
 * A letter pauses itself, and emails to unverified sign-ups pause, at this many complaints or bounces, if they are more
 * than this share of what was sent. Resend expects bounces under 4 % and complaints under 0.08 %.
 * https://resend.com/legal/acceptable-use
 */
export const eventLimits = {
  complaints: { count: 3, share: 0.0008 },
  bounces: { count: 15, share: 0.03 },
} as const;

/** Small batches of single emails mean that people who unsubscribe during a run receive nothing. */
export const SINGLES = 10;

/** D1 statements that claim, check and record {@link SINGLES} emails, besides a request for each. A pause fits into the reserve. */
export const SINGLES_STATEMENTS = 3;

/** Subrequests of a run of the cron job besides sending, of which one comes before it. */
export const OTHER_SUBREQUESTS = 24;

/** How many single emails a run can send, if neither the send limit nor the provider slows it down. */
export function emailsPerRun(subrequests: number): number {
  const left = subrequests - 1 - OTHER_SUBREQUESTS;
  const batch = SINGLES + SINGLES_STATEMENTS;
  return Math.floor(left / batch) * SINGLES + Math.max(0, (left % batch) - SINGLES_STATEMENTS);
}
