import { sql } from "drizzle-orm";
import type { AppContext, CronRun } from "#app/context.ts";
import { OTHER_SUBREQUESTS } from "#app/email/deliver.server.ts";
import { findDueLetters } from "#app/email/letters/due-letters.server.ts";
import { createSeries, seriesState } from "#app/email/series/due-steps.server.ts";
import { planLimits } from "#app/server/plan-limits.ts";
import * as switches from "#app/switches.ts";

/** Sends the steps of the series and the letters that are due until the run ends. */
export async function sendDueLetters(app: AppContext, { subrequests, until }: CronRun): Promise<void> {
  const { isDue, steps } = await findDueLetters(app.db, app.now(), switches.series ? seriesState : sql`NULL`);
  const series = switches.series ? createSeries(app, steps) : undefined;
  if (!isDue && !series?.isDue) return;
  const { sendLetters } = await import("#app/email/letters/send-letters.server.ts");
  // Deployed sites send letters on the paid plan only, and local ones have no limits.
  const more = planLimits.paid.subrequests - app.plan.subrequests;
  await sendLetters({ ...app, series }, { subrequests: subrequests + more - OTHER_SUBREQUESTS, until });
}
