import { formatsOf } from "#app/server/time/time-zone-days.ts";
import { DAY, type EpochMillis, type Millis } from "#app/server/time/units.ts";

/** What a local time stands for. */
export type LocalTime =
  | { kind: "exact"; at: EpochMillis }
  /** A clock change skips it: the moments at which the clocks show as much earlier and later than the gap. */
  | { kind: "skipped"; before: EpochMillis; after: EpochMillis }
  /** A clock change repeats it. */
  | { kind: "doubled"; first: EpochMillis; second: EpochMillis }
  | { kind: "malformed" };

/** @param text as `<input type="datetime-local">` gives it: `2027-03-28T02:30` */
export function parseLocalTime(text: string, timeZone: string): LocalTime {
  const shown = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(shown) || !new Date(shown).toISOString().startsWith(text)) return { kind: "malformed" };
  // The offsets of the day before and the day after: a clock change lies between them or not at all.
  const [before, after] = [shown - DAY, shown + DAY].map((time) => shown - offset(time, timeZone)) as [number, number];
  const matching = [...new Set([before, after])].filter((time) => time + offset(time, timeZone) === shown);
  const [first, second] = matching.toSorted((a, b) => a - b);
  if (first === undefined) return { kind: "skipped", before: Math.min(before, after), after: Math.max(before, after) };
  return second === undefined ? { kind: "exact", at: first } : { kind: "doubled", first, second };
}

/** The opposite of {@link parseLocalTime}, to the minute. @public for letters and webhooks, which can be removed */
export function formatLocalTime(time: EpochMillis, timeZone: string): string {
  return secondFormat(timeZone).format(time).slice(0, "2027-03-28T02:30".length).replace(" ", "T");
}

/** How far the clocks of a time zone are ahead of UTC at a time. */
function offset(time: EpochMillis, timeZone: string): Millis {
  const shown = Date.parse(`${secondFormat(timeZone).format(time).replace(" ", "T")}Z`);
  return shown - Math.floor(time / 1_000) * 1_000;
}

const secondFormat = formatsOf("sv-SE", { dateStyle: "short", timeStyle: "medium" });
