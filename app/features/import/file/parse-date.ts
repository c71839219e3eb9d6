import { startOfDay } from "#app/server/time/time-zone-days.ts";

export interface DateFormat {
  /** For dates without a time zone. */
  timeZone: string;
  /** Whether `03/04/2026` is in March. Null: not known yet, so in April. */
  monthFirst: boolean | null;
}

const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** Characters: more than any date with its weekday, time and time zone has. */
const MAX_DATE = 100;

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ,]+(.+))?$/;
const yearLast = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[T ,]+(.+))?$/;
const monthInWords = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:[ ,]+(.+))?$/i;
const dayBeforeMonth = /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3,9})\.?,? (\d{4})(?:[ ,]+(.+))?$/i;

/**
 * Parses a date with or without a time: in the order of ISO 8601, as `21/11/2026` or `21.11.2026`, or with the month in
 * English words; a time with or without AM and PM, and a time zone such as `Z`, `GMT+1` or `+01:00`.
 *
 * @returns milliseconds since 1970, without a time the start of the day; null if the text is no date after 1999
 */
export function parseDate(text: string, { timeZone, monthFirst }: DateFormat): number | null {
  // Before any pattern reads it: those below try a run of spaces from each of them.
  if (text.length > MAX_DATE) return null;
  const iso = yearFirst.exec(text);
  if (iso !== null) return toTime(iso[1], iso[2], iso[3], iso[4], timeZone);
  const numbers = yearLast.exec(text);
  if (numbers !== null) {
    const [, first, second, year, time] = numbers;
    return monthFirst === true
      ? toTime(year, first, second, time, timeZone)
      : toTime(year, second, first, time, timeZone);
  }
  const withoutWeekday = text.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i, "");
  const words = monthInWords.exec(withoutWeekday);
  if (words !== null) return toTime(words[3], numberOf(words[1]), words[2], words[4], timeZone);
  const british = dayBeforeMonth.exec(withoutWeekday);
  return british === null ? null : toTime(british[3], numberOf(british[2]), british[1], british[4], timeZone);
}

/** What a date tells about its column: which number must be the day, or that it can be either; null if it has no such numbers. */
export function orderOf(text: string): "day-first" | "month-first" | "either" | null {
  const [, first, second] = (text.length > MAX_DATE ? null : yearLast.exec(text)) ?? [];
  if (first === undefined || Number(first) === Number(second)) return null;
  if (Number(first) > 12) return "day-first";
  return Number(second) > 12 ? "month-first" : "either";
}

/** A month's number by its name, or by at least its first three letters. */
function numberOf(name = ""): string | undefined {
  const index = months.findIndex((month) => month.startsWith(name.toLowerCase()));
  return index === -1 ? undefined : String(index + 1);
}

function toTime(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  time: string | undefined,
  timeZone: string,
): number | null {
  const date = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  if (!isDay(date)) return null;
  if (time === undefined) return dayStart(date, timeZone);
  const parts = /^(\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)? ?([ap]\.?m\.?)? ?(?:Z|UTC|GMT)? ?([+-]\d\d?(?::?\d\d)?)?$/i.exec(
    time,
  );
  if (parts === null) return null;
  const [, hours = "", minutes = "", seconds = "0", fraction = "", half, offset] = parts;
  const hour = half === undefined ? Number(hours) : to24Hours(Number(hours), half);
  if (hour === null || hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const passed = Math.round(hour * 3_600_000 + Number(minutes) * 60_000 + Number(`${seconds}${fraction}`) * 1_000);
  const hasZone = offset !== undefined || /Z|UTC|GMT/i.test(time);
  if (!hasZone) return dayStart(date, timeZone) + passed;
  return Date.parse(`${date}T00:00:00Z`) + passed - millisecondsEast(offset);
}

function to24Hours(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0);
}

/** Of Greenwich: an offset such as `+1`, `+0100` or `-05:30`. */
function millisecondsEast(offset = "+0"): number {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d?):?(\d\d)?$/.exec(offset) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000);
}

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
