import { localDate, localHour, shiftDate, startOfDay } from "#app/server/time-zone-days.ts";

/** A step that is later than this is skipped (days). */
export const MAX_DAYS_LATE = 3;

/** The largest number of days after joining. */
export const MAX_DAYS = 365;

/** As many steps as a series has at most, and as one person is sent: the form promises it. */
export const MAX_STEPS = 5;

/**
 * The day whose recipients are to be written now: today, once the hour has come. If daylight saving skips that hour, from
 * the one after it.
 *
 * @param hour 0 to 23
 * @returns `YYYY-MM-DD`; null before the hour
 */
export function dayToPlan(now: number, hour: number, timeZone: string): string | null {
  return localHour(now, timeZone) >= hour ? localDate(now, timeZone) : null;
}

/** When people joined who are to be sent a step on a day (milliseconds since 1970, `until` exclusive). */
export interface DueTimes {
  /** Who joined earlier is too late for it. */
  from: number;
  until: number;
}

/** @param day `YYYY-MM-DD` in the time zone */
export function dueTimes(day: string, days: number, timeZone: string): DueTimes {
  const from = shiftDate(day, -days - MAX_DAYS_LATE);
  return { from: startOfDay(from, timeZone), until: startOfDay(shiftDate(day, 1 - days), timeZone) };
}
