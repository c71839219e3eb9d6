import { parseLocalTime } from "#app/server/time/local-time.ts";
import { localDate, startOfDay } from "#app/server/time/time-zone-days.ts";
import { DAY, type EpochMillis, HOUR, MINUTE, type Millis } from "#app/server/time/units.ts";

export interface DateFormat {
  /** For dates without a time zone. */
  timeZone: string;
  /** Whether `03/04/2026` is in March. Null: not known yet, so in April. */
  monthFirst: boolean | null;
}

/** What the owner is told. Other forms that services and spreadsheets write are read too. */
export const ACCEPTED_DATES =
  "2026-11-21, 21/11/2026, 21.11.26, 21 Nov 2026 or Nov 21, 2026, with or without a time such as 14:05 or 2:05 PM and a time zone such as Z or +01:00";

// Patterns read what normalise() returns. A colon only after four digits: `Nov 21 14:05:00` does not say a year.
const time = String.raw`(?:(?: ?t ?| |(?<=\d{4}):)(?<time>.+))?$`;
const day = String.raw`(?<day>\d{1,2})(?:(?:st|nd|rd|th|er|e|o|º)(?![a-z]))?\.?`;
const name = String.raw`(?<name>[a-z]{3,})\.?`;
const year = String.raw`'?(?<year>20\d\d|\d\d)`;
const patterns = [
  // Not `21-11-26`, which is as likely to start with the year.
  String.raw`(?<first>\d{1,2})(?<mark>[-/.]) ?(?<second>\d{1,2})(?:[-/.] ?(?=\d{4})|(?!-)\k<mark> ?)${year}\.?${time}`,
  String.raw`(?<year>20\d\d)(?:[-/.] ?(?<month>\d{1,2})[-/.] ?|[-/. ]${name}[-/. ])(?<day>\d{1,2})\.?${time}`,
  `${day}[-/ ]?(?:(?:of|de) )?${name}[-/ ]?(?:del? )?${year}${time}`,
  `${name}[-/ ]${day}[-/ ]${year}${time}`,
  String.raw`${name} (?<day>\d{1,2}) (?<time>\d\d?:.+) (?<year>20\d\d)$`,
  String.raw`(?<year>20\d\d)(?<month>\d\d)(?<day>\d\d)(?:(?: ?t ?| |(?=\d{6}$))(?<hour>[01]\d|2[0-3]):?(?<minute>[0-5]\d):?(?<seconds>[0-5]\d(?:\.\d+)?)?(?: ?(?<zone>[a-z+-].*))?)?$`,
].map((pattern) => new RegExp(String.raw`^(?:(?<weekday>[a-z]{2,})(?:-feira)?\.? )?${pattern}`));
const clock =
  /^(?:(?:at|um|om|a|a las?|alle|alle ore|as|@|-) )?(?<hour>[01]?\d|2[0-3])(?=[:.]| ?h| ?u[hu]r| ?[ap]\.? ?m)(?:(?:[:.]| ?h ?)(?<minute>[0-5]\d)(?:[:.](?<seconds>[0-5]\d(?:\.\d+)?))?)?(?: ?(?<half>[ap])\.? ?m\.?)?(?: ?(?:uhr|uur|hrs?|h))?(?: ?(?<zone>[a-z+−-][^[]*?)(?: ?\[.*\])?)?$/;
/** What follows the numbers repeats them, as in `GMT+0100 (Central European Standard Time)`. */
const offset = /^(?:z|utc|gmt)? ?(?<sign>[+−-])(?<h>0?\d|1[0-4]):?(?<m>[0-5]\d)?(?: ?(?:\(.*\)|[a-z]{2,4}[ct]))?$/;
const zones = "z+0 utc+0 gmt+0 bst+1 cet+1 mez+1 cest+2 mesz+2 est-5 edt-4 cst-6 cdt-5 mst-7 mdt-6 pst-8 pdt-7";
const offsets = new Map(zones.split(" ").map((zone) => zone.split(/(?=[+-])/) as [string, string]));

/**
 * Parses a date with or without a time, as in {@link ACCEPTED_DATES} and in other forms.
 *
 * @returns null unless all of the text is understood and the year is 2000 to 2099. Without a time the start of the day
 */
export function parseDate(text: string, { timeZone, monthFirst }: DateFormat): EpochMillis | null {
  const parts = partsOf(text);
  const { first, second, month = monthFirst ? first : second, day = monthFirst ? second : first } = parts;
  const { weekday, year = "", name, time } = parts;
  const months = name === undefined ? [Number(month) - 1] : monthsOf(`month ${name}`);
  const utcMidnight = Date.UTC(Number(year.padStart(4, "20")), months[0] ?? Number.NaN, Number(day));
  if (months.length > 1 || new Date(utcMidnight).getUTCMonth() !== months[0]) return null;
  if (weekday !== undefined && monthsOf(`weekday ${weekday}`).length === 0) return null;
  // As German spreadsheets write `AM` and `PM`.
  const english = time?.replace(/ vorm\.?/, " am").replace(/ nachm\.?/, " pm");
  return toTime(utcMidnight, english === undefined ? parts : clock.exec(english)?.groups, timeZone);
}

/** What a date tells about its column: which number must be the day, or that it can be either; null if it has no such numbers. */
export function orderOf(text: string): "day-first" | "month-first" | "either" | null {
  const { first, second } = partsOf(text);
  if (first === undefined || Number(first) === Number(second)) return null;
  return Number(first) > 12 ? "day-first" : Number(second) > 12 ? "month-first" : "either";
}

function partsOf(text: string): NonNullable<RegExpExecArray["groups"]> {
  const plain = normalise(text);
  for (const pattern of patterns) {
    const parts = pattern.exec(plain)?.groups;
    if (parts !== undefined) return parts;
  }
  return {};
}

/** In lower case, without accents, with spaces for commas, and with dates for the numbers of spreadsheets and of Unix. */
function normalise(text: string): string {
  // No date is longer, and the time that patterns take grows faster than the text.
  if (text.length > 100) return "";
  let plain = text;
  // Most dates need none of this, which takes as long as all the rest.
  if (!/^[!-+\--~]+(?: [!-+\--~]+)*$/.test(text)) {
    const letters = text.normalize("NFD").replace(/[\p{M}\p{Cf}]/gu, "");
    const decimal = letters.replace(/(:\d\d:\d\d|^\d{5}),(?=\d)/, "$1.");
    plain = decimal.replace(/[\s,]+/g, " ").trim();
  }
  if (!/^(?:\d{5}|[1-4]\d{9}|[1-4]\d{12})(?:\.\d+)?$/.test(plain)) return plain.toLowerCase();
  const value = Number(plain);
  if (value >= 1e5) return new Date(Math.round(value * (value < 1e10 ? 1_000 : 1))).toISOString().toLowerCase();
  // Local time, to the second: the decimals mean no more.
  return new Date(Date.UTC(1899, 11, 30) + Math.round(value * 86_400) * 1_000).toISOString().slice(0, 19).toLowerCase();
}

function toTime(utcMidnight: EpochMillis, shown: RegExpExecArray["groups"], timeZone: string): EpochMillis | null {
  const { hour = "0", minute = "0", seconds = "0", half, zone } = shown ?? {};
  if (shown === undefined || (half !== undefined && (Number(hour) === 0 || Number(hour) > 12))) return null;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === "p" ? 12 : 0);
  const passed = Math.round(hours * HOUR + Number(minute) * MINUTE + Number(seconds) * 1_000);
  if (zone === undefined) return fromLocal(utcMidnight, passed, timeZone);
  const { sign, h, m = "0" } = offset.exec(offsets.get(zone) ?? zone)?.groups ?? {};
  if (sign === undefined) return null;
  return utcMidnight + passed - (sign === "+" ? 1 : -1) * (Number(h) * HOUR + Number(m) * MINUTE);
}

function fromLocal(utcMidnight: EpochMillis, passed: Millis, timeZone: string): EpochMillis {
  const key = `${utcMidnight} ${timeZone}`;
  let start = starts.get(key);
  if (start === undefined) {
    const date = new Date(utcMidnight).toISOString().slice(0, 10);
    start = startOfDay(date, timeZone);
    if (localDate(start + DAY - 1, timeZone) !== date || localDate(start + DAY, timeZone) === date) start = Number.NaN;
    if (starts.size >= 10_000) starts.clear();
    starts.set(key, start);
  }
  if (!Number.isNaN(start)) return start + passed;
  const local = parseLocalTime(new Date(utcMidnight + passed).toISOString().slice(0, 16), timeZone);
  const at = "first" in local ? local.first : "after" in local ? local.after : "at" in local ? local.at : Number.NaN;
  return at + (passed % MINUTE);
}

/** When days start; NaN if the clocks change on them. Cached, because files name few days many times. */
const starts = new Map<string, EpochMillis>();
const firstLetters = new Map<string, number[]>();

/** The months, from 0, for the first letters of a month or of a weekday that any of them starts with. */
function monthsOf(key: `${"month" | "weekday"} ${string}`): number[] {
  // Filled on first use, because it takes milliseconds. In 2026 the months start on every weekday.
  for (const language of firstLetters.size > 0 ? [] : ["en", "de", "de-AT", "fr", "es", "it", "nl", "pt"]) {
    const format = new Intl.DateTimeFormat(language, { weekday: "long", month: "long", timeZone: "UTC" });
    for (let month = 0; month < 12; month++)
      for (const { type, value } of format.formatToParts(Date.UTC(2026, month)))
        for (let word = normalise(value); word !== ""; word = word.slice(0, -1))
          firstLetters.set(`${type} ${word}`, [...new Set(firstLetters.get(`${type} ${word}`)).add(month)]);
  }
  // The short forms that leave letters out.
  return firstLetters.get(key.replace(/ (?:mrt|mrz|maerz)$/, " mar")) ?? [];
}
