import { and, eq, gt, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { eventLimits } from "#app/email/limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type EmailReason, emailReasonText } from "#app/server/db/email-reasons.ts";
import { emailOutbox, emailPauses, type PauseReason } from "#app/server/db/schema/email.server.ts";
import type { SendOutcome } from "#app/server/mailer.server.ts";
import { isWaiting } from "#app/server/queue.server.ts";
import { DAY, type EpochMillis, HOUR, MINUTE } from "#app/server/time/units.ts";

/*
 * Pauses: a row of `email_pauses` for each reason, in one of four scopes.
 *
 * - `all`: the provider's quota or rate limit, or a fault of the configuration. It has an end. A past one stays until an
 *   email was sent: a run of the cron job tries a single one. A rate limit needs no such probe.
 * - `unverified`: emails to unverified sign-ups, after too many bounces, until the owner releases them. The row then has the
 *   time of that: bounces are counted from it on.
 * - `letter`: one letter, until its time or until the owner resumes it.
 * - `follow-ups`: all follow-ups, because of one of them, until the owner resumes it: each person gets one after the other.
 */

/** Why emails wait, and until when; null: until a person ends it. */
export interface Pause {
  reason: PauseReason;
  until: EpochMillis | null;
}

/** A pause of all email. */
export interface EmailPause {
  reason: EmailReason;
  until: EpochMillis;
}

/** How long a fault of the configuration pauses all email, before one email is tried. */
const CONFIGURATION_PAUSE = 15 * MINUTE;

/** How long a rate limit pauses all email if the provider does not say, and at most. */
const RATE_LIMIT_PAUSE = MINUTE;
const MAX_RATE_LIMIT_PAUSE = HOUR;

/** How long a used-up quota pauses all email, before one email is tried: the owner may buy more at any time. */
const QUOTA_PAUSES = { "daily-quota": 15 * MINUTE, "monthly-quota": HOUR };

/** Refusals that may be about one email only: no pause, while the provider accepts others. */
const ambiguousReasons: ReadonlySet<EmailReason> = new Set(["refused-request", "recipients-restricted"]);

/**
 * The pause of all email that follows from an outcome; null if it concerns this email only.
 *
 * @param pausedUntil the end of a pause that the email was tried in spite of. Its refusal does not prolong that, unless the
 *   provider names a time.
 */
export function emailPauseAfter(
  outcome: SendOutcome,
  now: EpochMillis,
  { acceptsOthers = false, pausedUntil = null }: { acceptsOthers?: boolean; pausedUntil?: EpochMillis | null } = {},
): EmailPause | null {
  if (outcome.state === "configuration") {
    if (acceptsOthers && ambiguousReasons.has(outcome.reason)) return null;
    return {
      reason: outcome.reason,
      until: Math.min(now + CONFIGURATION_PAUSE, pausedUntil ?? Number.POSITIVE_INFINITY),
    };
  }
  if (outcome.state !== "later" || outcome.scope === "email") return null;
  const { reason, retryAfter } = outcome;
  if (isQuota(reason)) {
    const until = Math.min(quotaReset(reason, now), now + QUOTA_PAUSES[reason]);
    return { reason, until: Math.min(until, pausedUntil ?? until) };
  }
  const until = now + Math.min(retryAfter ?? RATE_LIMIT_PAUSE, MAX_RATE_LIMIT_PAUSE);
  return { reason, until: reason === "rate-limit" ? until : Math.min(until, pausedUntil ?? until) };
}

export function isQuota(reason: EmailReason): reason is keyof typeof QUOTA_PAUSES {
  return Object.hasOwn(QUOTA_PAUSES, reason);
}

function quotaReset(reason: keyof typeof QUOTA_PAUSES, now: EpochMillis): number {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  return reason === "daily-quota" ? Date.UTC(year, month, today.getUTCDate() + 1) : Date.UTC(year, month + 1, 1);
}

const key = [emailPauses.scope, emailPauses.letter_id, emailPauses.reason];

const ofAll = eq(emailPauses.scope, "all");

/** The statement that pauses all email. A repeated pause keeps its beginning. */
export function pauseAll(db: Db, { reason, until }: EmailPause, now: EpochMillis) {
  return db
    .insert(emailPauses)
    .values({ scope: "all", reason, until, created_at: now })
    .onConflictDoUpdate({ target: key, set: { until } });
}

/** The statement that ends past pauses of all email. One that began while the email was being sent stays. */
export function endPastPauses(db: Db, now: EpochMillis) {
  return db.delete(emailPauses).where(and(lte(emailPauses.until, now), ofAll));
}

/**
 * Ends a pause of all email, so that the next run of the cron job tries one email: the owner asks for it, or the provider
 * has accepted an email outside the outbox. Emails that were put off until its end are due at once. @returns whether there
 * was one
 */
export async function retryNow(db: Db, now: EpochMillis): Promise<boolean> {
  const { until } = emailPauses;
  const isCurrent = and(gt(until, now), ofAll);
  const isPutOff = sql`${emailOutbox.next_attempt_at} IN ${db.select({ until }).from(emailPauses).where(isCurrent)}`;
  const [, ended] = await db.batch([
    db
      .update(emailOutbox)
      .set({ next_attempt_at: now })
      .where(and(isWaiting(emailOutbox), isPutOff)),
    db.update(emailPauses).set({ until: now }).where(isCurrent).returning({ until }),
  ]);
  return ended.length > 0;
}

/** The pause of all email that lasts longest, or null. A past one counts until an email has been sent, except for a rate limit. */
export async function readPause(db: Db, now: EpochMillis): Promise<EmailPause | null> {
  const [pause] = await db.all<EmailPause>(sql`SELECT reason, until FROM email_pauses
    WHERE scope = 'all' AND (until > ${now} OR reason <> 'rate-limit') ORDER BY until DESC LIMIT 1`);
  return pause ?? null;
}

/** The same in the owner's words: `Daily limit reached; next attempt at 09:15`. */
export async function describePause(db: Db, now: EpochMillis, timeZone: string): Promise<string | null> {
  const pause = await readPause(db, now);
  if (pause === null) return null;
  const { reason, until } = pause;
  const time = formatNext(until, now, timeZone);
  if (reason === "daily-quota") return `Daily limit reached; next attempt ${time}`;
  if (reason === "monthly-quota") return `Monthly limit reached; next attempt ${time}`;
  const next = reason === "rate-limit" ? "sending resumes" : "next attempt";
  return `Email is paused: ${emailReasonText(reason)}; ${next} ${time}`;
}

/** `09:00`, with the date unless it is today's: `21 Nov 2026, 09:00`. */
export function formatUntil(until: EpochMillis, now: EpochMillis, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone });
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(until);
  return day.format(until) === day.format(now) ? time : `${day.format(until)}, ${time}`;
}

/** The same for what happens then: `at 09:00`, `on 21 Nov 2026, 09:00`, or `within a minute`. */
export function formatNext(at: EpochMillis, now: EpochMillis, timeZone: string): string {
  if (at <= now) return "within a minute";
  const text = formatUntil(at, now, timeZone);
  return `${text.includes(",") ? "on" : "at"} ${text}`;
}

/** Bounces and emails of this time are counted. */
const BOUNCE_PERIOD = DAY;

const ofUnverified = eq(emailPauses.scope, "unverified");

/** Counts the bounces of a day, or since the owner released the last pause. */
export function pauseUnverifiedIfTooMany(db: Db, now: EpochMillis) {
  const since = sql`max(${now - BOUNCE_PERIOD}, coalesce((SELECT until FROM email_pauses WHERE scope = 'unverified'), 0))`;
  const emails = (condition: SQL) => sql`(SELECT count(*) FROM email_outbox WHERE ${condition} AND priority IN (1, 3))`;
  const bounced = emails(sql`dead_at > ${since} AND reason = 'address-refused'`);
  const sent = emails(sql`done_at > ${since}`);
  const isPaused = sql`EXISTS (SELECT 1 FROM email_pauses WHERE scope = 'unverified' AND until IS NULL)`;
  const isTooMany = exceeds(eventLimits.bounces, bounced, sql`(${sent} + ${bounced})`);
  return db
    .insert(emailPauses)
    .select(
      sql`SELECT 'unverified', 0, 'sign-up-bounces', NULL, ${now} WHERE CASE WHEN ${isPaused} THEN false ELSE ${isTooMany} END`,
    )
    .onConflictDoUpdate({
      target: key,
      set: { until: null, created_at: now },
    });
}

/** Releases emails to unverified sign-ups; bounces are counted from now on. @returns whether anything changed */
export async function releaseUnverified(db: Db, now: EpochMillis): Promise<boolean> {
  const { reason, until } = emailPauses;
  const isPaused = and(ofUnverified, isNull(until));
  return (await db.update(emailPauses).set({ until: now }).where(isPaused).returning({ reason })).length > 0;
}

export function unverifiedPause(db: Db) {
  const { until, created_at } = emailPauses;
  return db
    .select({ since: created_at })
    .from(emailPauses)
    .where(and(ofUnverified, isNull(until)));
}

/** SQL for whether a limit of events is exceeded. Reads `sent` only if there are as many events. */
export function exceeds({ count, share }: { count: number; share: number }, found: SQL, sent: SQL): SQL {
  return sql`CASE WHEN ${found} < ${count} THEN false ELSE ${found} > ${share} * ${sent} END`;
}

/**
 * The statement that pauses a letter that is being sent or, if a follow-up waits for a person, all follow-ups. A step that
 * was switched off or changed does not pause: its batches are only confirmed.
 */
export function pauseLetters(db: Db, letter: SQL, { reason, until }: Pause, now: EpochMillis) {
  return db
    .insert(emailPauses)
    .select(sql`
      SELECT iif(step_id IS NOT NULL AND ${until} IS NULL, 'follow-ups', 'letter'), letters.id, ${reason}, ${until}, ${now}
      FROM letters WHERE ${letter} AND state = 'sending' AND (step_id IS NULL OR queued_at IS NULL)`)
    .onConflictDoUpdate({
      target: key,
      set: { until: sql`excluded.until`, created_at: sql`excluded.created_at` },
      setWhere: isNotNull(emailPauses.until),
    });
}
