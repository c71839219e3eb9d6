import { sql } from "drizzle-orm";
import type { BatchGroup, SenderRun } from "#app/email/sender.server.ts";
import type { LetterDeps, Series } from "#app/features/letters/send/due-batches.server.ts";
import { isDueToStart, isSending } from "#app/features/letters/send/letters.server.ts";
import type { StepDeps } from "#app/features/letters/series/plan-step.server.ts";
import { dayToPlan } from "#app/features/letters/series/step-days.ts";
import * as switches from "#app/switches.ts";

type CronDeps = LetterDeps & Omit<StepDeps, "timeZone">;

/** Reads what {@link createSeries} needs, as JSON: the hour and the last planned day of each step that may be sent. */
const seriesState = sql`(SELECT json_group_array(json_array(hour, planned_day)) FROM series_steps
  WHERE letter_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'follow-ups'))`;

/**
 * The batches of letters and of the steps of the series, for the sender. What sends them is imported on demand: every run of
 * the cron job asks, with one statement, and few have one.
 */
export async function* batchesToSend(app: CronDeps, run: SenderRun): AsyncGenerator<BatchGroup, void, void> {
  const now = app.now();
  const [due] = await app.db.all<{ isDue: number; steps: string | null }>(sql`
    SELECT ${switches.series ? seriesState : sql`NULL`} AS steps, EXISTS (SELECT 1 FROM letters WHERE ${isSending}
      OR ${isDueToStart(now)})
      OR EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'letter' AND until <= ${now}) AS isDue`);
  const series = switches.series ? createSeries(app, due?.steps ?? null) : undefined;
  if (due?.isDue !== 1 && !series?.isDue) return;
  const { dueBatches } = await import("#app/features/letters/send/due-batches.server.ts");
  yield* dueBatches({ ...app, series }, run);
}

/** @param state {@link seriesState} */
function createSeries(app: CronDeps, state: string | null): Series & { isDue: boolean } {
  const deps: StepDeps = { ...app, timeZone: app.emailContext.ownerTimeZone };
  const steps: [hour: number, plannedDay: string | null][] = JSON.parse(state ?? "[]");
  const isStepDue = ([hour, plannedDay]: (typeof steps)[number]) => {
    const day = dayToPlan(deps.now(), hour, deps.timeZone);
    return day !== null && day !== plannedDay;
  };
  const isDue = deps.launchUrl === undefined && steps.some(isStepDue);
  const load = () => import("#app/features/letters/series/plan-step.server.ts");
  return {
    isDue,
    findDue: async () => (isDue ? (await load()).findDueSteps(deps) : []),
    plan: async (letter) => (await load()).planStep(deps, letter),
    prepare: async (letter) => {
      const { stepRules } = await load();
      const { forgetUntried } = await import("#app/features/letters/series/steps.server.ts");
      await forgetUntried(deps.db, letter);
      return stepRules(deps, letter);
    },
  };
}
