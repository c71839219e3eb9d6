import type { AppContext } from "#app/server/context.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** A run of the cron job, which its steps share. */
export interface CronRun {
  /** Steps may take more than a minute. */
  startedAt: EpochMillis;
  /** D1 statements and requests to the email provider that are left. Those that a step makes are taken off. */
  subrequests: number;
  /** When steps that may take long should end. */
  until: EpochMillis;
}

export type CronStep = (app: AppContext, run: CronRun) => Promise<unknown>;

export function when(isTime: (startedAt: EpochMillis) => boolean, step: CronStep): CronStep {
  return async (app, run) => {
    if (isTime(run.startedAt)) await step(app, run);
  };
}
