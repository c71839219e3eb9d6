import { sql } from "drizzle-orm";
import type { Series } from "#app/features/letters/send/due-batches.server.ts";
import type { StepDeps } from "#app/features/letters/series/plan-step.server.ts";
import { dayToPlan } from "#app/features/letters/series/step-days.ts";

/** Reads what {@link createSeries} needs, as JSON: the hour and the last planned day of each step that may be sent. */
export const seriesState = sql`(SELECT json_group_array(json_array(hour, planned_day)) FROM series_steps
  WHERE letter_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'follow-ups'))`;

export interface SeriesDeps extends Omit<StepDeps, "timeZone"> {
  emailContext: { ownerTimeZone: string };
}

/** The series, for the cron job. @param state {@link seriesState} */
export function createSeries(deps: SeriesDeps, state: string | null): Series & { isDue: boolean } {
  const { launchUrl, now } = deps;
  const timeZone = deps.emailContext.ownerTimeZone;
  const steps: [hour: number, plannedDay: string | null][] = JSON.parse(state ?? "[]");
  const isDue = steps.some(([hour, plannedDay]) => {
    const day = dayToPlan(now(), hour, timeZone);
    return day !== null && day !== plannedDay;
  });
  const load = () => import("#app/features/letters/series/plan-step.server.ts");
  const stepDeps = { ...deps, timeZone };
  return {
    isDue: isDue && launchUrl === undefined,
    findDue: async () => (isDue && launchUrl === undefined ? (await load()).findDueSteps(stepDeps) : []),
    plan: async (letter) => (await load()).planStep(stepDeps, letter),
    prepare: async (letter) => {
      const { stepRules } = await load();
      const { forgetUntried } = await import("#app/features/letters/series/steps.server.ts");
      await forgetUntried(deps.db, letter);
      return stepRules(stepDeps, letter);
    },
  };
}
