import type { Millis } from "#app/server/time/units.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Delays after the first, second, … failed attempt: ten attempts over 75 hours, as Standard Webhooks suggests.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
const DELAYS: Millis[] = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

export const MAX_DELIVERY_ATTEMPTS = DELAYS.length + 1;

/** The longest time that a receiver may ask us to wait. */
const MAX_RETRY_AFTER: Millis = 6 * HOUR;

/** The longest pause between attempts at a receiver that has accepted nothing for a while. */
const MAX_PAUSE: Millis = 10 * MINUTE;

/** The share by which a delay is longer or shorter, so that events that failed together do not come back together. */
const JITTER = 0.1;

/**
 * How long to wait before the next attempt; null after the last one.
 *
 * @param retryAfter how long the receiver asks us to wait
 * @param random from 0 to 1
 */
export function deliveryRetryDelay(attempts: number, retryAfter: Millis, random = Math.random()): Millis | null {
  const delay = DELAYS[attempts - 1];
  if (delay === undefined) return null;
  return Math.round(Math.max(delay * (1 + JITTER * (2 * random - 1)), Math.min(retryAfter, MAX_RETRY_AFTER)));
}

/** How long nothing is sent to a receiver: what it asks for, or a tenth of the time for which it has accepted nothing. */
export function receiverPause({ failingFor, retryAfter }: { failingFor: Millis; retryAfter: Millis }): Millis {
  return retryAfter > 0 ? Math.min(retryAfter, MAX_RETRY_AFTER) : Math.min(failingFor / 10, MAX_PAUSE);
}
