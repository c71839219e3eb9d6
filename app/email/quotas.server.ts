import { and, eq, gt, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import { isHeld } from "#app/email/pauses.server.ts";
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

/** Period of the send limit (milliseconds). */
const HOUR = 60 * 60_000;

/** Limits a query to one recipient's emails. */
export type Only = { email: string } | { id: string } | undefined;

/** Priorities of emails to sign-ups that Turnstile has verified, and of those that people themselves asked for by a link. */
export const toVerified: [number] = [emailPriority.welcome];

/** Of emails to sign-ups that Turnstile has not verified, or was not asked to. */
export const toUnverified: [number] = [unverifiedPriority];

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

/** How many emails to unverified sign-ups are sent in an hour: at most half of the send limit. */
export function unverifiedPerHour(perHour: number): number {
  return Math.ceil(perHour / 2);
}

/** The same with those that go beyond it in turn: one email for each network and sweep. */
function inTurnPerHour(perHour: number): number {
  return Math.ceil((perHour * 3) / 4);
}

/** How many welcome emails to imported people are sent in an hour: together with others they never use up the send limit. */
export function importedPerHour(perHour: number): number {
  return Math.ceil(perHour / 4);
}

/**
 * How many more emails may be claimed now: the send limit, or a share of it, less those sent within the hour and those being
 * sent.
 *
 * @param used {@link usedWithinHour}, or the name of a table that holds it
 */
export function quotas(used: SQL, { now, perHour }: { now: number; perHour: number }) {
  const left = (limit: number, counted: "emails" | "unverified" | "imported") =>
    sql`(${limit} - (SELECT coalesce(sum(${sql.raw(`used.${counted}`)}), 0) FROM ${used} AS used))`;
  const ifNotHeld = (quota: SQL) => sql`iif(${isHeld}, 0, ${quota})`;
  return {
    /** Emails to entries; letters count as well. */
    all: sql`(${left(perHour, "emails")} - ${lettersSent(now)})`,
    unverified: ifNotHeld(left(unverifiedPerHour(perHour), "unverified")),
    unverifiedInTurn: ifNotHeld(left(inTurnPerHour(perHour), "unverified")),
    imported: left(importedPerHour(perHour), "imported"),
  };
}

/** A query for how many emails to entries were sent within the hour or are being sent: all, and those with a share. */
export function usedWithinHour(db: Db, now: number): SQL {
  const counted = hasPriority([...toVerified, ...toUnverified, ...toImported]);
  const { priority, sent_at, dead_at, leased_until, next_attempt_at } = emailOutbox;
  const emails = (condition: SQL | undefined) =>
    db
      .select({
        emails: sql`count(*)`.as("emails"),
        unverified: sql`sum(${priority} IN ${toUnverified})`.as("unverified"),
        imported: sql`sum(${priority} IN ${toImported})`.as("imported"),
      })
      .from(emailOutbox)
      .where(and(condition, counted))
      .getSQL();
  const sent = emails(gt(sent_at, now - HOUR));
  // A bounce makes a sent email dead. Not counting it would let a flood of bad addresses exceed the limit.
  const refused = eq(emailOutbox.reason, "address-refused" satisfies EmailReason);
  const bounced = emails(and(gt(dead_at, now - HOUR), refused));
  // A lease ends at `next_attempt_at`, and a claimed email has no network, so the index on due emails finds the leased
  // ones. Twice the lease, because another sender may have claimed some after `now`.
  const leased = emails(
    and(
      isNull(emailOutbox.network),
      isNull(sent_at),
      isNull(dead_at),
      gt(next_attempt_at, now),
      lte(next_attempt_at, now + 2 * LEASE),
      gt(leased_until, now),
    ),
  );
  return sql`(SELECT * FROM (${sent}) UNION ALL SELECT * FROM (${bounced}) UNION ALL SELECT * FROM (${leased}))`;
}

/** How many emails of letters were sent within the hour. */
export function lettersSent(now: number): SQL {
  return sql`(SELECT coalesce(sum(letter_batches.sent), 0) FROM letter_batches
    WHERE letter_batches.done_at > ${now - HOUR})`;
}
