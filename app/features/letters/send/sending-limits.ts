import { DEFAULT_RATE_LIMIT, requestInterval } from "#app/email/limits.ts";
import { type PlanLimits, RUN_TIME } from "#app/server/config/plan-limits.ts";
import type { Mailer } from "#app/server/mailer.server.ts";
import type { Millis } from "#app/server/time/units.ts";

/** https://resend.com/docs/api-reference/emails/send-batch-emails */
export const MAX_BATCH = 100;

/** The share of the send limit (MAIL_PER_HOUR) that letters may use. The emails the site sends by itself get the rest. */
const LETTER_SHARE = 0.75;

/** A letter pauses after so many recipients, for so long, so that bounces can arrive. */
export const FIRST_PAUSE_AFTER = 1_000;
export const FIRST_PAUSE_TIME: Millis = 30 * 60_000;

const RUN_INTERVAL: Millis = 60_000;

export function lettersPerHour(perHour: number): number {
  return Math.max(1, Math.floor(perHour * LETTER_SHARE));
}

/** How many recipients a batch has, so that one fits into an hour. */
export function batchSize(perHour: number): number {
  return Math.min(MAX_BATCH, lettersPerHour(perHour));
}

/** How long a letter takes if nothing pauses it and nothing else is sent. */
export function estimateDuration(recipients: number, { perHour }: { perHour: number }): Millis {
  const size = batchSize(perHour);
  const batches = Math.ceil(recipients / size);
  const interval = requestInterval(DEFAULT_RATE_LIMIT);
  const perRun = Math.floor(RUN_TIME / interval);
  const runs = Math.ceil(batches / perRun);
  const byRate = (runs - 1) * RUN_INTERVAL + (batches - (runs - 1) * perRun) * interval;
  const batchesPerHour = Math.max(1, Math.floor(lettersPerHour(perHour) / size));
  const bySendLimit = (Math.ceil(batches / batchesPerHour) - 1) * 3_600_000;
  return Math.max(byRate, bySendLimit) + (recipients > FIRST_PAUSE_AFTER ? FIRST_PAUSE_TIME : 0);
}

interface LetterSite {
  siteUrl: string;
  plan: Pick<PlanLimits, "letters">;
  mailer: Pick<Mailer, "batch"> | null;
}

/**
 * Why this site cannot send letters, and in a second line what to set up, or null. Local sites can: they write emails to
 * files, and their runtime has no limits.
 */
export function letterRefusal({ siteUrl, plan, mailer }: LetterSite): string | null {
  if (mailer === null) {
    return "No sender is configured, so letters cannot be sent.\nAdvanced: set MAIL_FROM (docs/email.md).";
  }
  if (siteUrl.startsWith("http:")) return null;
  if (mailer.batch === undefined) {
    return "This site’s email service is for single emails such as the welcome email, not for letters.\nAdvanced: set RESEND_API_KEY to send them through Resend (docs/letters.md).";
  }
  if (!plan.letters) {
    return "This site’s hosting plan is too small for letters: it ends a run after a few emails.\nAdvanced: letters need the Workers Paid plan. Set WORKERS_PLAN to paid once you have it (docs/letters.md).";
  }
  return null;
}
