import { and, count, eq, gt, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import { MAX_SKEW } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import {
  emailOutbox,
  emailPriority,
  importedPriority,
  unverifiedPriority,
} from "#app/server/db/schema/email.server.ts";

/* Who emails go to, and how many of them may be sent now. */

/** How long claimed emails and batches of letters stay leased (milliseconds): well over the time they take to send. */
export const LEASE = 2 * 60_000;

/** No email, batch or pause waits longer: a monthly quota renews on the first of a month (milliseconds). */
export const LONGEST_WAIT = 32 * 24 * 60 * 60_000;

/** Period of the send limit (milliseconds). */
const HOUR = 60 * 60_000;

/** Limits a query to one recipient's emails. */
export type Only = { email: string } | { id: string } | undefined;

/** Priorities of emails that sign-ups caused, but for those which Turnstile was asked to verify and did not. */
export const toVerified = [emailPriority.welcome];
export const toUnverified = [unverifiedPriority];

/** Of welcome emails to people whom an import added. */
export const toImported = [importedPriority];

export const toOwner = [emailPriority["sign-in"], emailPriority.digest];

export function hasPriority(priorities: number[], only?: Only): SQL {
  return inArray(indexedPriority(only), priorities);
}

/**
 * The priority, which the index on due emails begins with. For one address or id a unary plus keeps SQLite from that
 * index: it would read the whole queue.
 */
function indexedPriority(only: Only): SQL {
  return only === undefined ? sql`${emailOutbox.priority}` : sql`+${emailOutbox.priority}`;
}

/** How many more emails to unverified sign-ups may be claimed now: they get at most half of the send limit. */
export function unverifiedQuota(db: Db, now: number, perHour: number): SQL {
  return remainingShare(db, now, unverifiedPerHour(perHour), toUnverified);
}

/** How many emails to unverified sign-ups are sent in an hour. */
export function unverifiedPerHour(perHour: number): number {
  return Math.ceil(perHour / 2);
}

/** How many more emails to imported people may be claimed now: together with others they never use up the send limit. */
export function importedQuota(db: Db, now: number, perHour: number): SQL {
  return remainingShare(db, now, importedPerHour(perHour), toImported);
}

/** How many welcome emails to imported people are sent in an hour. */
export function importedPerHour(perHour: number): number {
  return Math.ceil(perHour / 4);
}

/**
 * How many more emails to entries may be claimed now: the send limit less those sent within the hour, letters among them,
 * and those being sent.
 */
export function remainingQuota(db: Db, now: number, perHour: number): SQL {
  return sql`(${remainingShare(db, now, perHour, [...toVerified, ...toUnverified, ...toImported])} - ${lettersSent(now)})`;
}

/** The same for a share of the send limit and the emails that it is for. */
function remainingShare(db: Db, now: number, perHour: number, priorities: number[]): SQL {
  const counted = hasPriority(priorities);
  const { sent_at, dead_at, leased_until, next_attempt_at } = emailOutbox;
  const sent = db
    .select({ emails: count() })
    .from(emailOutbox)
    .where(and(gt(sent_at, now - HOUR), lte(sent_at, now + MAX_SKEW), counted));
  // A bounce makes a sent email dead. Not counting it would let a flood of bad addresses exceed the limit.
  const bounced = db
    .select({ emails: count() })
    .from(emailOutbox)
    .where(
      and(
        gt(dead_at, now - HOUR),
        lte(dead_at, now + MAX_SKEW),
        eq(emailOutbox.reason, "address-refused" satisfies EmailReason),
        counted,
      ),
    );
  // A lease ends at `next_attempt_at`, so the index on due emails finds the leased ones. Twice the lease, because the
  // clock of another sender may be ahead.
  const leased = db
    .select({ emails: count() })
    .from(emailOutbox)
    .where(
      and(
        counted,
        isNull(sent_at),
        isNull(dead_at),
        gt(next_attempt_at, now),
        lte(next_attempt_at, now + 2 * LEASE),
        gt(leased_until, now),
      ),
    );
  return sql`(${perHour} - ${sent} - ${bounced} - ${leased})`;
}

/** How many emails of letters were sent within the hour. */
export function lettersSent(now: number): SQL {
  return sql`(SELECT coalesce(sum(letter_batches.sent), 0) FROM letter_batches WHERE letter_batches.done_at > ${now - HOUR}
    AND letter_batches.done_at <= ${now + MAX_SKEW})`;
}
