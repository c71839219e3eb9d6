import { and, count, inArray } from "drizzle-orm";
import { emailsPerSweep } from "#app/email/deliver.server.ts";
import { isDue } from "#app/email/outbox.server.ts";
import { importedPerHour, toImported, toUnverified, toVerified, unverifiedPerHour } from "#app/email/quotas.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import type { PlanLimits } from "#app/server/plan-limits.ts";

/** Emails to entries that are due, by what they may use of the send limit. */
export interface Backlog {
  verified: number;
  unverified: number;
  imported: number;
}

/** How fast the site may send. */
export interface SendingLimits {
  /** The send limit: emails per hour. */
  emailsPerHour: number;
  plan: Pick<PlanLimits, "subrequests">;
}

/** The statement that counts due emails, by their index. */
export function dueByPriority(db: Db, now: number) {
  const { priority } = emailOutbox;
  return db
    .select({ priority, emails: count() })
    .from(emailOutbox)
    .where(and(isDue(now), inArray(priority, [...toVerified, ...toUnverified, ...toImported])))
    .groupBy(priority);
}

export function toBacklog(rows: { priority: number; emails: number }[]): Backlog {
  const countOf = (priorities: number[]) =>
    rows.reduce((sum, { priority, emails }) => (priorities.includes(priority) ? sum + emails : sum), 0);
  return { verified: countOf(toVerified), unverified: countOf(toUnverified), imported: countOf(toImported) };
}

/** Emails that all sweeps of an hour can send: one starts each minute. */
export function sweptPerHour({ plan }: Pick<SendingLimits, "plan">): number {
  return emailsPerSweep(plan.subrequests) * 60;
}

/**
 * Hours until a backlog is sent, if nothing is added to it and the provider takes all of it. Emails to verified sign-ups
 * come first; then those to unverified sign-ups and to imported people share the limit.
 */
export function hoursToSend({ verified, unverified, imported }: Backlog, limits: SendingLimits): number {
  const { emailsPerHour } = limits;
  const hours = (emails: number, perHour: number) => emails / Math.min(perHour, sweptPerHour(limits));
  const others = [
    hours(unverified, unverifiedPerHour(emailsPerHour)),
    hours(imported, importedPerHour(emailsPerHour)),
    hours(unverified + imported, emailsPerHour),
  ];
  return hours(verified, emailsPerHour) + Math.max(...others);
}
