import { startOfDay } from "#app/server/time-zone-days.ts";

export interface DateFormat {
  /** For dates without a time zone. */
  timeZone: string;
  /** Whether `03/04/2026` is in March. */
  monthFirst: boolean;
}

/**
 * Parses an ISO 8601 date, with or without a time, or one such as `21/11/2026` or `21.11.2026`.
 *
 * @returns milliseconds since 1970, without a time the start of the day; null if the text is no date after 1999
 */
export function parseDate(text: string, { timeZone, monthFirst }: DateFormat): number | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](.+))?$/.exec(text);
  if (iso !== null) return toTime(iso[1], iso[2], iso[3], iso[4], timeZone);
  const short = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:,? (.+))?$/.exec(text);
  if (short === null) return null;
  const [, first = "", second = "", year, time] = short;
  const [month, day] = monthFirst ? [first, second] : [second, first];
  return toTime(year, month.padStart(2, "0"), day.padStart(2, "0"), time, timeZone);
}

function toTime(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  time: string | undefined,
  timeZone: string,
): number | null {
  const date = `${year}-${month}-${day}`;
  if (!isDay(date)) return null;
  if (time === undefined) return dayStart(date, timeZone);
  const parts = /^(\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)? ?(Z|UTC|[+-]\d\d:?\d\d)?$/.exec(time);
  if (parts === null) return null;
  const [, hours = "", minutes = "", seconds = "0", fraction = "", zone] = parts;
  const passed = Math.round(
    Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(`${seconds}${fraction}`) * 1_000,
  );
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  if (zone === undefined) return dayStart(date, timeZone) + passed;
  return Date.parse(`${date}T00:00:00Z`) + passed - offsetOf(zone);
}

/** Milliseconds east of Greenwich. */
function offsetOf(zone: string): number {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000);
}

/** Whether the calendar has the day. */
function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return date >= "2000" && !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** Cached, because files name few days many times. */
function dayStart(date: string, timeZone: string): number {
  const key = `${date} ${timeZone}`;
  const start = dayStarts.get(key) ?? startOfDay(date, timeZone);
  if (dayStarts.size > 10_000) dayStarts.clear();
  dayStarts.set(key, start);
  return start;
}

const dayStarts = new Map<string, number>();
