import type { AppContext } from "#app/server/context.ts";

/** A run of the cron job, which its steps share. */
export interface CronRun {
  /** When it started (milliseconds since 1970): steps may take more than a minute. */
  startedAt: number;
  /** D1 statements and requests to the email provider that are left. Those that a step makes are taken off. */
  subrequests: number;
  /** When steps that may take long should end (milliseconds since 1970). */
  until: number;
}

export type CronStep = (app: AppContext, run: CronRun) => Promise<unknown>;

export function when(isTime: (startedAt: number) => boolean, step: CronStep): CronStep {
  return async (app, run) => {
    if (isTime(run.startedAt)) await step(app, run);
  };
}
