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
