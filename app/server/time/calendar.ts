import { DAY, type EpochMillis } from "#app/server/time/units.ts";

/** The same day and time a number of months earlier, in UTC. */
export function monthsBefore(time: EpochMillis, months: number): EpochMillis {
  const date = new Date(time);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.getTime();
}

/** The UTC day of a time: `YYYY-MM-DD`. */
export function utcDay(time: EpochMillis): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Minutes between two runs of the cron job, as in wrangler.toml. */
const CRON_MINUTES = 1;

/** For what the cron job does once an hour. */
export function isFirstRunOfHour(now: EpochMillis): boolean {
  return new Date(now).getUTCMinutes() < CRON_MINUTES;
}

/** When the next UTC day begins. */
export function nextUtcDay(now: EpochMillis): EpochMillis {
  return (Math.floor(now / DAY) + 1) * DAY;
}

/** The same, away from the first and the last run of an hour, which have more to do. */
export function isMiddleRunOfHour(now: EpochMillis): boolean {
  const minutes = new Date(now).getUTCMinutes();
  return minutes >= 30 && minutes < 30 + CRON_MINUTES;
}

/** Four times a day, in the middle run of an hour. */
export function isQuarterOfDay(now: EpochMillis): boolean {
  return isMiddleRunOfHour(now) && new Date(now).getUTCHours() % 6 === 0;
}

/** The same, away from the first run of an hour, which has the most to do. */
export function isLastRunOfHour(now: EpochMillis): boolean {
  return new Date(now).getUTCMinutes() >= 60 - CRON_MINUTES;
}
