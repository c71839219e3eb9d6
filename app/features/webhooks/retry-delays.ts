const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Delays after the first, second, … failed attempt (milliseconds): ten attempts over 75 hours, as Standard Webhooks suggests.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)] as const;

export const MAX_ATTEMPTS = DELAYS.length + 1;

/** An event that has been due for as long, while its receiver accepted nothing, is not tried any more (milliseconds). */
export const LONGEST_DUE = 76 * HOUR;

/** The longest time that a receiver may ask us to wait (milliseconds). */
export const MAX_RETRY_AFTER = 6 * HOUR;

/** The longest pause between attempts at a receiver that has accepted nothing for a while (milliseconds). */
const MAX_PAUSE = 10 * MINUTE;

/** For a whole request, and for the requests of a round, the last of which begin after one timeout (milliseconds). */
export const TIMEOUT = 15 * SECOND;
export const ROUND_TIME = 2 * TIMEOUT;

/** The share by which a delay is longer or shorter, so that events that failed together do not come back together. */
const JITTER = 0.1;

/**
 * When to try again (milliseconds from now); null after the last attempt.
 *
 * @param retryAfter how long the receiver asks us to wait (milliseconds)
 * @param random from 0 to 1
 */
export function retryDelay(attempts: number, retryAfter: number, random = Math.random()): number | null {
  const delay = DELAYS[attempts - 1];
  if (delay === undefined) return null;
  return Math.round(Math.max(delay * (1 + JITTER * (2 * random - 1)), Math.min(retryAfter, MAX_RETRY_AFTER)));
}

/** How long nothing is sent to a receiver (milliseconds): what it asks for, or a tenth of the time for which it has accepted nothing. */
export function pauseFor({ failingFor, retryAfter }: { failingFor: number; retryAfter: number }): number {
  return retryAfter > 0 ? Math.min(retryAfter, MAX_RETRY_AFTER) : Math.min(failingFor / 10, MAX_PAUSE);
}
