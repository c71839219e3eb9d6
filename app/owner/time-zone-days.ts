/** Days as a time zone has them, with daylight saving and all. */

/** A day of a calendar: `from` to `until` (milliseconds since 1970, `until` exclusive). */
export interface LocalDay {
  /** `YYYY-MM-DD` */
  date: string;
  from: number;
  until: number;
}

/** The last days up to the one it is, oldest first. */
export function lastLocalDays(now: number, days: number, timeZone: string): LocalDay[] {
  const today = localDate(now, timeZone);
  const dates = Array.from({ length: days + 1 }, (_, index) => shiftDate(today, index - days + 1));
  const starts = dates.map((date) => startOfDay(date, timeZone));
  return dates.slice(0, -1).map((date, index) => ({ date, from: starts[index] ?? 0, until: starts[index + 1] ?? 0 }));
}

/** The date it is somewhere: `YYYY-MM-DD`. */
export function localDate(now: number, timeZone: string): string {
  return dateFormat(timeZone).format(now);
}

/** The hour it is somewhere, 0 to 23. */
export function localHour(now: number, timeZone: string): number {
  return Number(new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(now));
}

/** The first moment of a date: where midnight is left out, as some zones do in spring, the moment after the gap. */
export function startOfDay(date: string, timeZone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Zones are between 12 hours behind and 14 hours ahead, and change on the quarter of an hour.
  let [before, from] = [midnight - 15 * HOUR, midnight + 13 * HOUR];
  while (from - before > QUARTER) {
    const middle = before + Math.floor((from - before) / 2 / QUARTER) * QUARTER;
    if (localDate(middle, timeZone) < date) before = middle;
    else from = middle;
  }
  return from;
}

/** The quarter of an hour is what all time zones' days are made of (milliseconds). */
export const QUARTER = 900_000;
const HOUR = 3_600_000;

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Cached, since making one takes far longer than using it. Sweden writes its dates in ISO 8601. */
function dateFormat(timeZone: string): Intl.DateTimeFormat {
  const format = dateFormats.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone });
  dateFormats.set(timeZone, format);
  return format;
}

function shiftDate(date: string, days: number): string {
  const shifted = new Date(`${date}T00:00:00Z`);
  shifted.setUTCDate(shifted.getUTCDate() + days);
  return shifted.toISOString().slice(0, 10);
}
