/** A moment: milliseconds since 1970, as `Date.now()` returns it and as D1 stores it. */
export type EpochMillis = number;

/** A length of time in milliseconds. */
export type Millis = number;

export const MINUTE: Millis = 60_000;
export const HOUR: Millis = 60 * MINUTE;
export const DAY: Millis = 24 * HOUR;
