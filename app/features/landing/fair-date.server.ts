import type { EpochMillis, Millis } from "#app/server/time/units.ts";

const DAY: Millis = 86_400_000;

/** The sample match is at least this far away, so that the date fits a page that was cached. */
const LEAD_TIME: Millis = 60 * DAY;

/** The second Saturday of the next June, such as `Saturday 12 June 2027`. */
export function nextFairDate(now: EpochMillis): string {
  const earliest = new Date(now + LEAD_TIME);
  const thisYear = secondSaturdayOfJune(earliest.getUTCFullYear());
  const date = thisYear > earliest ? thisYear : secondSaturdayOfJune(earliest.getUTCFullYear() + 1);
  return `Saturday ${date.getUTCDate()} June ${date.getUTCFullYear()}`;
}

function secondSaturdayOfJune(year: number): Date {
  const first = new Date(Date.UTC(year, 5, 1));
  return new Date(first.getTime() + (13 - first.getUTCDay()) * DAY);
}
