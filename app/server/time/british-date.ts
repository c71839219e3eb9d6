import type { EpochMillis } from "#app/server/time/units.ts";

export interface BritishDate {
  /** `YYYY-MM-DD` */
  iso: string;
  /** `21 November 2026` */
  text: string;
}

const TIME_ZONE = "Europe/London";

/** The date in Britain. */
export function britishDate(now: EpochMillis): BritishDate {
  const text = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: TIME_ZONE }).format(now);
  // The Swedish format is ISO 8601.
  const iso = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE }).format(now);
  return { iso, text };
}
