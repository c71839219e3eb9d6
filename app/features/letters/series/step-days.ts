import { localDate, localHour, shiftDate, startOfDay } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** A step that is later than this is skipped (days). */
export const MAX_DAYS_LATE = 3;

export const MAX_DAYS_AFTER_JOINING = 365;

/** As many steps as a series has at most, and as one person is sent: the form promises it. */
export const MAX_STEPS = 5;

/**
 * The day whose recipients are to be written now (`YYYY-MM-DD`): today, once the hour (0 to 23) has come, and null before.
 * If daylight saving skips that hour, from the one after it.
 */
export function dayToPlan(now: EpochMillis, hour: number, timeZone: string): string | null {
  return localHour(now, timeZone) >= hour ? localDate(now, timeZone) : null;
}

/**
 * When the people joined who are to be sent a step on a day (`YYYY-MM-DD`); `until` is exclusive. Anyone who joined before
 * `from` is too late for it.
 */
export function dueTimes(day: string, days: number, timeZone: string): Record<"from" | "until", EpochMillis> {
  const from = shiftDate(day, -days - MAX_DAYS_LATE);
  return { from: startOfDay(from, timeZone), until: startOfDay(shiftDate(day, 1 - days), timeZone) };
}
