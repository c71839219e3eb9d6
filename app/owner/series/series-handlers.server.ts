import { countAgreed } from "#app/email/series/count-people.server.ts";
import { readSeriesStats } from "#app/email/series/series-stats.server.ts";
import { listSteps, setHour } from "#app/email/series/steps.server.ts";
import { hours, seriesView } from "#app/owner/series/series-view.server.tsx";
import { readObstacle, toSeries } from "#app/owner/series/step-request.server.ts";
import { badRequest } from "#app/owner/ui/error-pages.server.tsx";
import type { OwnerContext } from "#app/owner/ui/owner-context.ts";
import { fieldText } from "#app/server/read-form.server.ts";

/** All steps, with what became of them. */
export async function showSeries(c: OwnerContext) {
  const { db, timeZone, mustConfirm, now } = c.var.app;
  const [steps, stats, agreed] = await Promise.all([listSteps(db), readSeriesStats(db), countAgreed(db)]);
  return c.render(seriesView({ steps, stats, agreed, obstacle: readObstacle(c), mustConfirm, timeZone, now: now() }));
}

/** The hour of the day from which all steps are sent. */
export async function changeHour(c: OwnerContext) {
  const { db } = c.var.app;
  const hour = hours.indexOf(fieldText(c.var.form, "hour"));
  if (hour === -1) return badRequest(c);
  if ((await listSteps(db)).every((step) => step.hour === hour)) return toSeries(c, "unchanged");
  await setHour(db, hour);
  await c.var.record("set-series-hour", { hour: hours[hour] ?? "" });
  return toSeries(c, "hour");
}
