import { desc, lte, type SQL, sql } from "drizzle-orm";
import type { SendOutcome } from "#app/email/mailer.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type EmailReason, emailReasons } from "#app/server/db/email-reasons.ts";
import { emailHolds } from "#app/server/db/schema/email.server.ts";

/** Why all email waits, and until when (milliseconds since 1970). */
export interface EmailHold {
  reason: EmailReason;
  until: number;
}

const MINUTE = 60_000;

/** How long a fault of the configuration holds all email, before one email is tried (milliseconds). */
const CONFIGURATION_HOLD = 15 * MINUTE;

/** How long a rate limit holds all email if the provider does not say (milliseconds). */
const RATE_LIMIT_HOLD = MINUTE;

/** The longest hold for a rate limit, even if the provider asks for more (milliseconds). */
const MAX_RATE_LIMIT_HOLD = 60 * MINUTE;

/** Refusals that may be about one email only: no hold, while the provider accepts others. */
const ambiguousReasons: ReadonlySet<EmailReason> = new Set(["refused-request", "recipients-restricted"]);

/** SQL for whether the provider has accepted an email in the last 15 minutes. */
export function acceptsEmail(now: number): SQL<boolean> {
  return sql`EXISTS (SELECT 1 FROM email_outbox AS other WHERE other.sent_at > ${now - CONFIGURATION_HOLD})`.mapWith(
    Boolean,
  );
}

/**
 * The hold that an outcome puts on all email; null if it concerns this email only.
 *
 * @param acceptsOthers whether the provider has just accepted other emails
 */
export function holdFor(outcome: SendOutcome, now: number, acceptsOthers = false): EmailHold | null {
  if (acceptsOthers && outcome.state === "configuration" && ambiguousReasons.has(outcome.reason)) return null;
  if (outcome.state === "configuration") return { reason: outcome.reason, until: now + CONFIGURATION_HOLD };
  if (outcome.state !== "later" || outcome.scope === "email") return null;
  const { reason, retryAfter } = outcome;
  if (reason !== "daily-quota" && reason !== "monthly-quota") {
    return { reason, until: now + Math.min(retryAfter ?? RATE_LIMIT_HOLD, MAX_RATE_LIMIT_HOLD) };
  }
  const reset = quotaReset(reason, now);
  return { reason, until: retryAfter === null ? reset : Math.min(reset, now + retryAfter) };
}

/** The next midnight (UTC), or that of the next month's first day. */
function quotaReset(reason: "daily-quota" | "monthly-quota", now: number): number {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  return reason === "daily-quota" ? Date.UTC(year, month, today.getUTCDate() + 1) : Date.UTC(year, month + 1, 1);
}

/**
 * SQL for how many emails may be claimed: none during a hold. After one, a sweep claims a single email, whose success
 * ends the hold; emails outside a sweep wait for that. A rate limit needs no such probe.
 *
 * @param limit without a hold
 */
export function claimableDuringHolds(now: number, limit: number, inSweep: boolean): SQL {
  return sql`(SELECT CASE WHEN max(${emailHolds.until}) > ${now} THEN 0
    WHEN sum(${emailHolds.reason} <> 'rate-limit') > 0 THEN ${inSweep ? 1 : 0}
    ELSE ${limit} END FROM ${emailHolds})`;
}

/** SQL for whether there is a hold, current or past, that a success would end. */
export const hasHolds: SQL<number> = sql`EXISTS (SELECT 1 FROM ${emailHolds})`;

/** The statement that puts all email on hold. A repeated hold keeps its beginning. */
export function holdStatement(db: Db, { reason, until }: EmailHold, now: number) {
  return db
    .insert(emailHolds)
    .values({ reason, until, created_at: now })
    .onConflictDoUpdate({ target: emailHolds.reason, set: { until } });
}

/** The statement that ends past holds. One that began while the email was being sent stays. */
export function endHoldsStatement(db: Db, now: number) {
  return db.delete(emailHolds).where(lte(emailHolds.until, now));
}

/** The hold that lasts longest, or null. A past one counts until an email has been sent, except for a rate limit. */
export async function readHold(db: Db, now: number): Promise<EmailHold | null> {
  const { reason, until } = emailHolds;
  const [hold] = await db
    .select({ reason, until })
    .from(emailHolds)
    .where(sql`${until} > ${now} OR ${reason} <> 'rate-limit'`)
    .orderBy(desc(until))
    .limit(1);
  return hold === undefined ? null : { reason: hold.reason as EmailReason, until: hold.until };
}

/** A hold in the owner's words: `Daily limit reached; sending resumes at 09:00`. */
export function describeHold({ reason, until }: EmailHold, now: number, timeZone: string): string {
  const time = until > now ? `at ${formatUntil(until, now, timeZone)}` : "within a minute";
  if (reason === "daily-quota") return `Daily limit reached; sending resumes ${time}`;
  if (reason === "monthly-quota") return `Monthly limit reached; sending resumes ${time}`;
  if (reason === "rate-limit") return `Email is on hold: ${emailReasons[reason]}; sending resumes ${time}`;
  return `Email is on hold: ${emailReasons[reason] ?? reason}; next attempt ${time}`;
}

/** `09:00`, with the date unless it is today's. */
function formatUntil(until: number, now: number, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone });
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(until);
  return day.format(until) === day.format(now) ? time : `${time} on ${day.format(until)}`;
}
