/** An email is dead after this many attempts: about a day and a half with the delays below. */
export const MAX_ATTEMPTS = 10;

const MINUTE = 60_000;

/** Delay after the nth failed attempt (milliseconds): 5 minutes, doubled each time, at most 12 hours. */
export function retryDelay(attempts: number): number {
  return Math.min(5 * MINUTE * 2 ** (attempts - 1), 12 * 60 * MINUTE);
}

/**
 * Delay of an email that the provider put off, which uses up no attempt (milliseconds): as long as it has waited, at least
 * 5 minutes and at most an hour.
 *
 * @param waited since its first attempt (milliseconds)
 */
export function postponement(waited: number): number {
  return Math.min(Math.max(waited, 5 * MINUTE), 60 * MINUTE);
}
