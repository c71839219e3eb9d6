import { and, desc, gt, inArray, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import type { SendOutcome } from "#app/email/mailer.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type EmailReason, reasonText } from "#app/server/db/email-reasons.ts";
import { emailOutbox, emailPauses } from "#app/server/db/schema/email.server.ts";

/** Why all email waits, and until when (milliseconds since 1970). */
export interface EmailPause {
  reason: EmailReason;
  until: number;
}

/** The one row that concerns only emails to unverified sign-ups: see `bounce-hold.server.ts`. */
export const BOUNCE_HOLD = "sign-up-bounces" satisfies EmailReason;

/** The end of a hold that was not released. */
export const UNTIL_RELEASED = Number.MAX_SAFE_INTEGER;

/** SQL for whether a row concerns all email. */
export const ofAllEmail = ne(emailPauses.reason, BOUNCE_HOLD);

const MINUTE = 60_000;

/** How long a fault of the configuration pauses all email, before one email is tried (milliseconds). */
const CONFIGURATION_PAUSE = 15 * MINUTE;

/** How long a rate limit pauses all email if the provider does not say (milliseconds). */
const RATE_LIMIT_PAUSE = MINUTE;

/** The longest pause for a rate limit, even if the provider asks for more (milliseconds). */
const MAX_RATE_LIMIT_PAUSE = 60 * MINUTE;

/** How long a used-up quota pauses all email, before one email is tried: the owner may buy more at any time (milliseconds). */
const QUOTA_PAUSES = { "daily-quota": 15 * MINUTE, "monthly-quota": 60 * MINUTE };

/** Refusals that may be about one email only: no pause, while the provider accepts others. */
const ambiguousReasons: ReadonlySet<EmailReason> = new Set(["refused-request", "recipients-restricted"]);

/** SQL for whether the provider has accepted an email in the last 15 minutes. */
export function acceptsEmail(now: number): SQL<boolean> {
  return sql`EXISTS (SELECT 1 FROM email_outbox AS other WHERE other.sent_at > ${now - CONFIGURATION_PAUSE})`.mapWith(
    Boolean,
  );
}

/**
 * The pause of all email that follows from an outcome; null if it concerns this email only.
 *
 * @param acceptsOthers whether the provider has just accepted other emails
 * @param pausedUntil the end of a pause that the email was tried in spite of. Its refusal does not prolong that, unless the
 *   provider names a time.
 */
export function pauseFor(
  outcome: SendOutcome,
  now: number,
  { acceptsOthers = false, pausedUntil = null }: { acceptsOthers?: boolean; pausedUntil?: number | null } = {},
): EmailPause | null {
  const pause = pauseAfter(outcome, now, acceptsOthers);
  if (pause === null || pause.reason === "rate-limit" || pausedUntil === null) return pause;
  return { ...pause, until: Math.min(pause.until, pausedUntil) };
}

function pauseAfter(outcome: SendOutcome, now: number, acceptsOthers: boolean): EmailPause | null {
  if (acceptsOthers && outcome.state === "configuration" && ambiguousReasons.has(outcome.reason)) return null;
  if (outcome.state === "configuration") return { reason: outcome.reason, until: now + CONFIGURATION_PAUSE };
  if (outcome.state !== "later" || outcome.scope === "email") return null;
  const { reason, retryAfter } = outcome;
  if (!isQuota(reason)) {
    return { reason, until: now + Math.min(retryAfter ?? RATE_LIMIT_PAUSE, MAX_RATE_LIMIT_PAUSE) };
  }
  return { reason, until: Math.min(quotaReset(reason, now), now + QUOTA_PAUSES[reason]) };
}

export function isQuota(reason: EmailReason): reason is keyof typeof QUOTA_PAUSES {
  return Object.hasOwn(QUOTA_PAUSES, reason);
}

/** The next midnight (UTC), or that of the next month's first day. */
function quotaReset(reason: keyof typeof QUOTA_PAUSES, now: number): number {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  return reason === "daily-quota" ? Date.UTC(year, month, today.getUTCDate() + 1) : Date.UTC(year, month + 1, 1);
}

/**
 * SQL for how many emails may be claimed: none during a pause. After one, a sweep claims a single email, whose success
 * ends the pause; emails outside a sweep wait for that. A rate limit needs no such probe.
 *
 * @param limit without a pause
 */
export function claimableDuringPauses(now: number, limit: number, inSweep: boolean): SQL {
  return sql`(SELECT CASE WHEN max(${emailPauses.until}) > ${now} THEN 0
    WHEN sum(${emailPauses.reason} <> 'rate-limit') > 0 THEN ${inSweep ? 1 : 0}
    ELSE ${limit} END FROM ${emailPauses} WHERE ${ofAllEmail})`;
}

/** SQL for whether there is a pause, current or past, that a success would end. */
export const hasPauses: SQL<number> = sql`EXISTS (SELECT 1 FROM ${emailPauses} WHERE ${ofAllEmail})`;

/** SQL for when the current pause ends, or null. */
export function currentPause(now: number): SQL<number | null> {
  return sql`(SELECT max(${emailPauses.until}) FROM ${emailPauses} WHERE ${emailPauses.until} > ${now} AND ${ofAllEmail})`;
}

/** The statement that pauses all email. A repeated pause keeps its beginning. */
export function beginPause(db: Db, { reason, until }: EmailPause, now: number) {
  return db
    .insert(emailPauses)
    .values({ reason, until, created_at: now })
    .onConflictDoUpdate({ target: emailPauses.reason, set: { until } });
}

/**
 * Ends what is left of a pause of all email, so that the next sweep tries one email: the owner asks for it, or the provider
 * has accepted an email outside the outbox. Emails that were put off until the pause's end are due at once.
 *
 * @returns whether there was a pause
 */
export async function retryNow(db: Db, now: number): Promise<boolean> {
  const { until } = emailPauses;
  const isCurrent = and(gt(until, now), ofAllEmail);
  const { sent_at, dead_at, next_attempt_at } = emailOutbox;
  const isPutOff = inArray(next_attempt_at, db.select({ until }).from(emailPauses).where(isCurrent));
  const [, ended] = await db.batch([
    db
      .update(emailOutbox)
      .set({ next_attempt_at: now })
      .where(and(isNull(sent_at), isNull(dead_at), isPutOff)),
    db.update(emailPauses).set({ until: now }).where(isCurrent).returning({ until }),
  ]);
  return ended.length > 0;
}

/** The statement that ends past pauses. One that began while the email was being sent stays. */
export function endPauses(db: Db, now: number) {
  return db.delete(emailPauses).where(and(lte(emailPauses.until, now), ofAllEmail));
}

/** SQL for whether emails to unverified sign-ups are held. */
export const isHeld: SQL = sql`EXISTS (SELECT 1 FROM email_pauses
  WHERE email_pauses.reason = ${BOUNCE_HOLD} AND email_pauses.until = ${UNTIL_RELEASED})`;

/** The pause that lasts longest, or null. A past one counts until an email has been sent, except for a rate limit. */
export async function readPause(db: Db, now: number): Promise<EmailPause | null> {
  const { reason, until } = emailPauses;
  const [pause] = await db
    .select({ reason, until })
    .from(emailPauses)
    .where(and(ofAllEmail, sql`(${until} > ${now} OR ${reason} <> 'rate-limit')`))
    .orderBy(desc(until))
    .limit(1);
  return (pause as EmailPause | undefined) ?? null;
}

/** The same in the owner's words: `Daily limit reached; next attempt at 09:15`. */
export async function describePause(db: Db, now: number, timeZone: string): Promise<string | null> {
  const pause = await readPause(db, now);
  if (pause === null) return null;
  const { reason, until } = pause;
  const time = until > now ? `at ${formatUntil(until, now, timeZone)}` : "within a minute";
  if (reason === "daily-quota") return `Daily limit reached; next attempt ${time}`;
  if (reason === "monthly-quota") return `Monthly limit reached; next attempt ${time}`;
  const next = reason === "rate-limit" ? "sending resumes" : "next attempt";
  return `Email is paused: ${reasonText(reason)}; ${next} ${time}`;
}

/** `09:00`, with the date unless it is today's. */
export function formatUntil(until: number, now: number, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone });
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(until);
  return day.format(until) === day.format(now) ? time : `${time} on ${day.format(until)}`;
}
