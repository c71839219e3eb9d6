/** A day is unusual from this many blocked attempts on, if they are this many times the usual number. */
const MIN_BLOCKED = 100;
const MIN_INCREASE = 5;

/** @param usual the daily average before */
export function isUnusual(today: number, usual: number): boolean {
  return today >= MIN_BLOCKED && today >= MIN_INCREASE * usual;
}
