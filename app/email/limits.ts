/* How many emails may be sent: the send limit, its shares, the provider's rate, and what pauses emails. */

/** How long claimed emails and batches of letters stay leased (milliseconds): well over the time they take to send. */
export const LEASE = 2 * 60_000;

export const HOUR = 3_600_000;

/** How many emails to unverified sign-ups are sent in an hour: at most half of the send limit. */
export function unverifiedPerHour(perHour: number): number {
  return Math.ceil(perHour / 2);
}

/** The same with those that go beyond it in turn: one email of each network in a run. */
export function unverifiedInTurnPerHour(perHour: number): number {
  return Math.ceil((perHour * 3) / 4);
}

/** How many welcome emails to imported people are sent in an hour: together with others they never use up the send limit. */
export function importedPerHour(perHour: number): number {
  return Math.ceil(perHour / 4);
}

/** Requests a second that Resend accepts by default. https://resend.com/docs/api-reference/rate-limit */
export const DEFAULT_RATE_LIMIT = 5;

/** The share of the provider's rate limit that letters use. */
const RATE_SHARE = 0.92;

/** Time between two batches (milliseconds). */
export function requestInterval(rateLimit: number): number {
  return 1_000 / (rateLimit * RATE_SHARE);
}

/**
 * A letter pauses itself, and emails to unverified sign-ups pause, at this many complaints or bounces, if they are more
 * than this share of what was sent. Resend expects bounces under 4 % and complaints under 0.08 %.
 * https://resend.com/legal/acceptable-use
 */
export const eventLimits = {
  complaints: { count: 3, share: 0.0008 },
  bounces: { count: 15, share: 0.03 },
} as const;

/** Small batches of single emails mean that people who unsubscribe during a run receive nothing. */
export const SINGLES = 10;

/** D1 statements that claim, check and record {@link SINGLES} emails, besides a request for each. A pause fits into the reserve. */
export const SINGLES_STATEMENTS = 3;

/** Subrequests of a run of the cron job besides sending, of which one comes before it. */
export const OTHER_SUBREQUESTS = 24;

/** How many single emails a run can send, if neither the send limit nor the provider slows it down. */
export function emailsPerRun(subrequests: number): number {
  const left = subrequests - 1 - OTHER_SUBREQUESTS;
  const batch = SINGLES + SINGLES_STATEMENTS;
  return Math.floor(left / batch) * SINGLES + Math.max(0, (left % batch) - SINGLES_STATEMENTS);
}
