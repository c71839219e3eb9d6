import { HOUR, MINUTE, type Millis } from "#app/server/time/units.ts";

export type WorkersPlan = "free" | "paid";

/** Every number that differs between Cloudflare's plans. The D1 and KV quotas are those of the account. */
export interface PlanLimits {
  /**
   * D1 statements and outgoing requests of one invocation, with some room left: Cloudflare allows 50 on the free plan and
   * 1,000 statements on the paid one. https://developers.cloudflare.com/d1/platform/limits/
   */
  subrequests: number;
  /** Rows that D1 writes in a day (UTC); null without a quota. https://developers.cloudflare.com/d1/platform/pricing/ */
  rowsWritten: number | null;
  /**
   * Visits that are counted in a day of the owner's time zone. Each writes one row at most, and a day (UTC) has hours of
   * two such days.
   */
  visits: number;
  /** Blocked attempts that are counted in a day (UTC), of each reason. Each writes one row at most. */
  blockedAttempts: number;
  /**
   * Sent emails that are deleted in an hour. A local D1 counts two rows written for each, with its entry; if Cloudflare
   * counts the four indexes as well, it is six.
   */
  forgottenEmails: number;
  /** Jobs of each kind that a run does. On the free plan one uses up most of the 10 ms of CPU time. */
  jobsOfEachKind: number;
  importedAtOnce: number;
  /** Rows that imports on the owner's pages add a day (UTC). */
  importedADay: number;
  /** Sign-ups of a fair that are added by a job: opening and hashing one takes CPU time. */
  fairSignUpsAtOnce: number;
  /** Records that changes of many entries, and decisions about many friends, may change a day (UTC): an entry, or what is linked to one. */
  changedRecordsADay: number;
  /** Attempts to send events a day (UTC), for all endpoints together. */
  webhookAttemptsADay: number;
  /** Events for a receiver that stays down that a run gives up. */
  eventsGivenUpAtOnce: number;
  eventsSentAgainAtOnce: number;
  jobsForgottenAtOnce: number;
  letters: boolean;
  /** How long the statistics of a long list are shown before they are computed again. */
  longListStatsAge: Millis;
  /** How often blog posts are fetched: each time writes to KV. https://developers.cloudflare.com/kv/platform/limits/ */
  blog: {
    /** How long a list is shown before Ghost is asked again, also after a failure. */
    freshFor: Millis;
    /** How long an isolate without a list leaves Ghost alone after a failure. */
    retryAfter: Millis;
    /** How long an isolate trusts its own last refresh if KV refused to store it. */
    unstoredFor: Millis;
    /** Time after `freshFor` in which a refresh becomes ever more likely. */
    spread: Millis;
  };
  /** How long a picture counts as failing, which is written to KV once for each location (seconds). */
  pictureFailureTtl: number;
}

const UNLIMITED = Number.MAX_SAFE_INTEGER;

export const planLimits: Record<WorkersPlan, PlanLimits> = {
  free: {
    subrequests: 45,
    rowsWritten: 100_000,
    visits: 10_000,
    blockedAttempts: 700,
    forgottenEmails: 100,
    jobsOfEachKind: 1,
    importedAtOnce: 50,
    importedADay: 1_000,
    fairSignUpsAtOnce: 3,
    changedRecordsADay: 1_500,
    webhookAttemptsADay: 3_000,
    eventsGivenUpAtOnce: 10,
    eventsSentAgainAtOnce: 2_000,
    jobsForgottenAtOnce: 1_500,
    letters: false,
    longListStatsAge: HOUR,
    // KV refuses until midnight, and nothing else tells how old the list is: hence `unstoredFor`.
    blog: { freshFor: 15 * MINUTE, retryAfter: MINUTE, unstoredFor: 55 * MINUTE, spread: 15 * MINUTE },
    pictureFailureTtl: 24 * 60 * 60,
  },
  paid: {
    subrequests: 900,
    rowsWritten: null,
    visits: UNLIMITED,
    blockedAttempts: UNLIMITED,
    forgottenEmails: 5_000,
    jobsOfEachKind: UNLIMITED,
    importedAtOnce: 1_000,
    importedADay: UNLIMITED,
    fairSignUpsAtOnce: 20,
    changedRecordsADay: UNLIMITED,
    webhookAttemptsADay: UNLIMITED,
    eventsGivenUpAtOnce: 2_000,
    eventsSentAgainAtOnce: 50_000,
    jobsForgottenAtOnce: 50_000,
    letters: true,
    longListStatsAge: 5 * MINUTE,
    blog: { freshFor: 5 * MINUTE, retryAfter: 0.5 * MINUTE, unstoredFor: MINUTE, spread: 0 },
    pictureFailureTtl: 60 * 60,
  },
};

/** How long a run of the cron job may take: the next one starts a minute later. */
export const RUN_TIME: Millis = 55_000;
