import { britishDate } from "#app/server/time/british-date.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { isPastLaunch, launchDate } from "#app/site.ts";

/**
 * @param launchUrl the value of `LAUNCH_URL`, if the product is open
 * @param date the last day of the launch, or null
 */
export function launchDateWarning(launchUrl: string | undefined, now: EpochMillis, date = launchDate): string | null {
  if (launchUrl !== undefined || date === null || !isPastLaunch(now, date)) return null;
  return `The launch date, ${britishDate(Date.parse(date)).text}, has passed. Say that the product is open, or change the date.\nAdvanced: set LAUNCH_URL, or change launch and launchDate in app/site.ts (docs/launching.md).`;
}
