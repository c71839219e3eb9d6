/**
 * How many D1 statements and outgoing requests one invocation may make on each Workers plan, with some room left.
 * Cloudflare allows 50 on the free plan and 1,000 on the paid one.
 * https://developers.cloudflare.com/d1/platform/limits/ and https://developers.cloudflare.com/workers/platform/limits/
 */
export const maxSubrequests = { free: 45, paid: 900 } as const;

export type WorkersPlan = keyof typeof maxSubrequests;

/**
 * How many rows the counts of visits and of blocked attempts may write a day (UTC), so that sign-ups have the rest of the
 * 100,000 that a day on the free plan includes. https://developers.cloudflare.com/d1/platform/pricing/
 */
export const maxCountWrites: Record<WorkersPlan, { visits: number; blocked: number }> = {
  free: { visits: 20_000, blocked: 5_000 },
  paid: { visits: Number.MAX_SAFE_INTEGER, blocked: Number.MAX_SAFE_INTEGER },
};

/**
 * How many rows changes of many entries at once may write a day (UTC). Of the day on the free plan that leaves sign-ups and their
 * emails at least 35,000: some 2,000 of them, beside as many visits as are counted.
 */
export const maxBulkWrites: Record<WorkersPlan, number> = { free: 40_000, paid: Number.MAX_SAFE_INTEGER };

/** How long a run of the cron job may take (milliseconds): the next one starts a minute later. */
export const RUN_TIME = 55_000;

/** JOB LIMITS, TO MERGE */
export interface PlanLimits {
  /** D1 statements and outgoing requests of an invocation. */
  subrequests: number;
  /** Turns of each kind of job that a run takes. On the free plan one uses up most of the 10 ms of CPU time. */
  turnsOfEachKind: number;
  /** Rows of a file that are imported together. */
  importedAtOnce: number;
  /** Rows that imports on the owner's pages add a day (UTC). */
  importedADay: number;
  /** Sign-ups of a fair that are added in a turn: opening and hashing one takes CPU time. */
  fairSignUpsAtOnce: number;
  /** Records that changes of many entries may change a day (UTC): an entry, or an email, a copy of a letter or a friend of one. */
  changedRecordsADay: number;
  /** Attempts to send events a day (UTC), for all endpoints together. */
  webhookAttemptsADay: number;
  /** Events for a receiver that stays down that a run gives up. */
  eventsGivenUpAtOnce: number;
  /** Events that an owner sends again at once. */
  eventsSentAgainAtOnce: number;
  /** Ended jobs that are deleted at once. */
  jobsForgottenAtOnce: number;
}
export const planLimits: Record<WorkersPlan, PlanLimits> = {
  free: {
    subrequests: 45,
    turnsOfEachKind: 1,
    importedAtOnce: 50,
    importedADay: 1_000,
    fairSignUpsAtOnce: 4,
    changedRecordsADay: 1_500,
    webhookAttemptsADay: 3_000,
    eventsGivenUpAtOnce: 10,
    eventsSentAgainAtOnce: 2_000,
    jobsForgottenAtOnce: 1_500,
  },
  paid: {
    subrequests: 900,
    turnsOfEachKind: Number.MAX_SAFE_INTEGER,
    importedAtOnce: 1_000,
    importedADay: Number.MAX_SAFE_INTEGER,
    fairSignUpsAtOnce: 20,
    changedRecordsADay: Number.MAX_SAFE_INTEGER,
    webhookAttemptsADay: Number.MAX_SAFE_INTEGER,
    eventsGivenUpAtOnce: 2_000,
    eventsSentAgainAtOnce: 50_000,
    jobsForgottenAtOnce: 50_000,
  },
};
