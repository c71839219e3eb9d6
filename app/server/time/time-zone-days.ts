import { type EpochMillis, HOUR } from "#app/server/time/units.ts";

/** A calendar day from `from` to `until`, exclusive. */
export interface LocalDay {
  /** `YYYY-MM-DD` */
  date: string;
  from: EpochMillis;
  until: EpochMillis;
}

/** The last `days` days including today, oldest first. */
export function lastLocalDays(now: EpochMillis, days: number, timeZone: string): LocalDay[] {
  return localDays(shiftDate(localDate(now, timeZone), 1 - days), days, timeZone);
}

/** @param first the first of them (`YYYY-MM-DD`) */
export function localDays(first: string, days: number, timeZone: string): LocalDay[] {
  const dates = Array.from({ length: days + 1 }, (_, index) => shiftDate(first, index));
  const starts: number[] = [];
  for (const date of dates) {
    // Most days have 24 hours: two looks at the clock confirm it. A search takes seven.
    const expected = (starts.at(-1) ?? Number.NaN) + 24 * HOUR;
    starts.push(isStartOf(date, expected, timeZone) ? expected : startOfDay(date, timeZone));
  }
  return dates.slice(0, -1).map((date, index) => ({ date, from: starts[index] ?? 0, until: starts[index + 1] ?? 0 }));
}

function isStartOf(date: string, time: EpochMillis, timeZone: string): boolean {
  if (Number.isNaN(time)) return false;
  return localDate(time, timeZone) === date && localDate(time - QUARTER_HOUR, timeZone) < date;
}

/** The date in a time zone: `YYYY-MM-DD`. */
export function localDate(now: EpochMillis, timeZone: string): string {
  return dateFormat(timeZone).format(now);
}

/** The hour in a time zone, 0 to 23. */
export function localHour(now: EpochMillis, timeZone: string): number {
  return Number(hourFormat(timeZone).format(now));
}

/** The start of a date. If daylight saving skips midnight, the moment after the gap. */
export function startOfDay(date: string, timeZone: string): EpochMillis {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // UTC offsets range from -12 to +14 hours, and days start on a quarter of an hour (UTC).
  let [before, from] = [midnight - 15 * HOUR, midnight + 13 * HOUR];
  while (from - before > QUARTER_HOUR) {
    const middle = before + Math.floor((from - before) / 2 / QUARTER_HOUR) * QUARTER_HOUR;
    if (localDate(middle, timeZone) < date) before = middle;
    else from = middle;
  }
  return from;
}

/** The start of a date that someone typed; null if the calendar has no such day after 1999. */
export function startOfDate(text: string, timeZone: string): EpochMillis | null {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) && text >= "2000" ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return isDay ? startOfDay(text, timeZone) : null;
}

/** Days of every time zone start and end on a quarter of an hour. */
const QUARTER_HOUR = HOUR / 4;

/** The Swedish locale writes ISO 8601 dates. */
const dateFormat = formatsOf("sv-SE", {});
const hourFormat = formatsOf("en-GB", { hour: "2-digit", hourCycle: "h23" });

/** The format of each time zone, kept, because creating one is far slower than using it. */
export function formatsOf(locale: string, options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formats.set(timeZone, format);
    return format;
  };
}

export function shiftDate(date: string, days: number): string {
  const shifted = new Date(`${date}T00:00:00Z`);
  shifted.setUTCDate(shifted.getUTCDate() + days);
  return shifted.toISOString().slice(0, 10);
}
