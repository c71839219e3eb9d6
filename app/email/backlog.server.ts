import { and, count, inArray } from "drizzle-orm";
import { emailsPerRun, importedPerHour, unverifiedPerHour } from "#app/email/limits.ts";
import { IS_DUE, IS_ONLY, IS_WANTED, type Only, onlyValues, QUOTA, quotaValues } from "#app/email/outbox.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { runBatch, runNamed } from "#app/server/db/sql-batch.server.ts";
import { isDue } from "#app/server/queue.server.ts";
import { isFirstRunOfHour } from "#app/server/time/calendar.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/* Emails that wait for a limit: why, how many, and for how long. */

/** While so many emails wait, it is recorded once an hour, since that reads all of them. */
const MANY = 500;

/**
 * Records that due emails wait for the send limit, for the share of it that unverified sign-ups get, or because too many
 * bounced. This uses up no attempt. Emails to imported people were queued with their reason, so that a long queue is not
 * written again.
 *
 * @returns how many wait for the send limit, or only for the half of it that unverified sign-ups get
 */
export async function recordWaiting(
  db: Db,
  { now, perHour, only }: { now: EpochMillis; perHour: number; only?: Only },
): Promise<{ limit: number; unverified: number }> {
  const values = { ...quotaValues({ now, perHour }), ...onlyValues(only) };
  const [state] = await runNamed<Record<"entries" | "unverified" | "paused" | "due", number>>(db, {
    text: `WITH ${QUOTA}
      SELECT entries, unverified, paused, (SELECT count(*) FROM (
        SELECT 1 FROM email_outbox WHERE ${IS_DUE} AND priority IN (1, 3) LIMIT :many)) AS due FROM quota`,
    values: { ...values, many: only === undefined ? MANY : 0 },
  });
  const isFull = (state?.entries ?? 0) <= 0;
  const isPutOff = (state?.due ?? 0) >= MANY && !isFirstRunOfHour(now);
  if ((!isFull && (state?.unverified ?? 0) > 0) || isPutOff) return { limit: 0, unverified: 0 };
  const isPaused = state?.paused === 1;
  const priority = only === undefined ? "priority" : "+priority";
  const waits = `${IS_DUE} AND ${priority} IN (1, 3) AND (priority = 3 OR :full) AND ${IS_WANTED}
    ${only === undefined ? "" : `AND ${IS_ONLY}`}`;
  const unverified = isPaused ? "sign-up-bounces" : isFull ? "send-limit" : "unverified-limit";
  // Whichever limit an email waits for is recorded once: they take turns within each hour.
  const record = `UPDATE email_outbox AS email SET reason = iif(priority = 3, :reason, 'send-limit')
    WHERE ${waits} AND iif(priority = 3 AND :paused, reason IS NOT :reason,
      coalesce(reason, '') NOT IN ('send-limit', 'unverified-limit'))`;
  const counting = `SELECT count(*) AS emails FROM email_outbox AS email WHERE ${waits} AND NOT (priority = 3 AND :paused)`;
  const waiting = { ...values, full: isFull, paused: isPaused };
  const [, [counted]] = await runBatch<[[], { emails: number }[]]>(db, [
    { text: record, values: { ...waiting, reason: unverified } },
    { text: counting, values: waiting },
  ]);
  const emails = counted?.emails ?? 0;
  return isFull ? { limit: emails, unverified: 0 } : { limit: 0, unverified: emails };
}

/** Emails to entries that are due, by what they may use of the send limit. */
export interface Backlog {
  verified: number;
  unverified: number;
  imported: number;
}

export interface SendingLimits {
  emailsPerHour: number;
  plan: Pick<PlanLimits, "subrequests">;
}

export function dueByPriority(db: Db, now: EpochMillis) {
  const { priority } = emailOutbox;
  return db
    .select({ priority, emails: count() })
    .from(emailOutbox)
    .where(and(isDue(emailOutbox, now), inArray(priority, [1, 3, 4])))
    .groupBy(priority);
}

export function toBacklog(rows: { priority: number; emails: number }[]): Backlog {
  const countOf = (priority: number) => rows.find((row) => row.priority === priority)?.emails ?? 0;
  return { verified: countOf(1), unverified: countOf(3), imported: countOf(4) };
}

/** How many emails the runs of the cron job can send in an hour: one starts each minute. */
export function capacityPerHour({ plan }: Pick<SendingLimits, "plan">): number {
  return emailsPerRun(plan.subrequests) * 60;
}

/**
 * Hours until a backlog is sent, if nothing is added to it and the provider takes all of it. Emails to verified sign-ups
 * come first; then those to unverified sign-ups and to imported people share the limit.
 */
export function hoursToSend({ verified, unverified, imported }: Backlog, limits: SendingLimits): number {
  const { emailsPerHour } = limits;
  const hours = (emails: number, perHour: number) => emails / Math.min(perHour, capacityPerHour(limits));
  const others = [
    hours(unverified, unverifiedPerHour(emailsPerHour)),
    hours(imported, importedPerHour(emailsPerHour)),
    hours(unverified + imported, emailsPerHour),
  ];
  return hours(verified, emailsPerHour) + Math.max(...others);
}
