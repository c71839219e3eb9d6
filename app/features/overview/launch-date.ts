import { britishDate } from "#app/server/time/british-date.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/**
 * @param launchUrl the value of `LAUNCH_URL`, if the product is open
 * @param date the last day of the launch, or null
 */
export function launchDateWarning(launchUrl: string | undefined, date: string | null, now: EpochMillis): string | null {
  if (launchUrl !== undefined || date === null || date >= utcDay(now)) return null;
  return `The launch date, ${britishDate(Date.parse(date)).text}, has passed. Say that the product is open, or change the date.`;
}

/** How to do so without a page for it. */
export const LAUNCH_IN_CODE =
  "set LAUNCH_URL, or change launchDate and launchSentence in app/site.ts (docs/launching.md).";
