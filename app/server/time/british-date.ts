import type { EpochMillis } from "#app/server/time/units.ts";

export interface BritishDate {
  /** `YYYY-MM-DD` */
  iso: string;
  /** `21 November 2026` */
  text: string;
}

const TIME_ZONE = "Europe/London";

/** `21 Nov 2026` for `2026-11-21`. */
export function shortDate(date: string): string {
  return shortFormat.format(new Date(`${date}T00:00:00Z`));
}

const shortFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** The date in Britain. */
export function britishDate(now: EpochMillis): BritishDate {
  const text = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: TIME_ZONE }).format(now);
  // The Swedish format is ISO 8601.
  const iso = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE }).format(now);
  return { iso, text };
}
