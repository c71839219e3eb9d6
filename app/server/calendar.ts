/** The same day and time a number of months earlier, in UTC (milliseconds since 1970). */
export function monthsBefore(time: number, months: number): number {
  const date = new Date(time);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.getTime();
}

/** The UTC day of a time: `YYYY-MM-DD`. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
