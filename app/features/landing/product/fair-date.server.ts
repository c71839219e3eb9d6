import type { FairDates } from "#app/features/landing/product/example-fairs.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

const DAY: Millis = 86_400_000;

/** The example fairs are at least this far away, so that their dates fit a page that was cached. */
const LEAD_TIME: Millis = 60 * DAY;

/** The second weekend of the next June, such as `Saturday 12 June 2027` and the day after. */
export function nextFairDates(now: EpochMillis): FairDates {
  const earliest = new Date(now + LEAD_TIME);
  const thisYear = secondSaturdayOfJune(earliest.getUTCFullYear());
  const date = thisYear > earliest ? thisYear : secondSaturdayOfJune(earliest.getUTCFullYear() + 1);
  const [day, monthAndYear] = [date.getUTCDate(), `June ${date.getUTCFullYear()}`];
  // The second Saturday is the 14th at the latest, so the Sunday is in June, too.
  return { Saturday: `Saturday ${day} ${monthAndYear}`, Sunday: `Sunday ${day + 1} ${monthAndYear}` };
}

function secondSaturdayOfJune(year: number): Date {
  const first = new Date(Date.UTC(year, 5, 1));
  return new Date(first.getTime() + (13 - first.getUTCDay()) * DAY);
}
