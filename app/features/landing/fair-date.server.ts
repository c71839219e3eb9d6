const DAY = 86_400_000;

/** The sample match is at least this far away (milliseconds), so that the date fits a page that was cached. */
const LEAD_TIME = 60 * DAY;

/** The second Saturday of the next June, such as `Saturday 12 June 2027`, for a time in milliseconds since 1970. */
export function nextFairDate(now: number): string {
  const earliest = new Date(now + LEAD_TIME);
  const thisYear = secondSaturdayOfJune(earliest.getUTCFullYear());
  const date = thisYear > earliest ? thisYear : secondSaturdayOfJune(earliest.getUTCFullYear() + 1);
  return `Saturday ${date.getUTCDate()} June ${date.getUTCFullYear()}`;
}

function secondSaturdayOfJune(year: number): Date {
  const first = new Date(Date.UTC(year, 5, 1));
  return new Date(first.getTime() + (13 - first.getUTCDay()) * DAY);
}
