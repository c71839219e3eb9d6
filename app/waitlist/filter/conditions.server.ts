import { and, eq, exists, gte, inArray, isNotNull, isNull, not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { reachedMilestones, referrers } from "#app/server/db/schema/referrals.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import { parseLocalTime } from "#app/server/time/local-time.ts";
import { shiftDate, startOfDay } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import type { ShownStatus } from "#app/waitlist/confirmation/confirmation.ts";
import type { EmailFilter } from "#app/waitlist/filter/email-filter.ts";

/* The longer conditions of the filters in `filters.server.ts`. */

/** As `statusOf` tells them apart. */
export function hasStatus(status: ShownStatus, now: EpochMillis): SQL | undefined {
  if (status === "unsubscribed") return eq(waitlistEmails.status, status);
  const { unconfirmed } = isConfirmation;
  const isActive = eq(waitlistEmails.status, "active");
  if (status === "unconfirmed") return and(isActive, unconfirmed);
  const suppressed = isSuppressed(now);
  return and(isActive, not(unconfirmed), status === "suppressed" ? suppressed : not(suppressed));
}

export function hasValue(column: SQLiteColumn, wanted: boolean): SQL {
  return wanted ? isNotNull(column) : isNull(column);
}

export function hasAnswer(key: string, wanted: string | string[] | null | undefined, isText: boolean): SQL | undefined {
  if (wanted === undefined) return undefined;
  const stored = sql`${waitlistEmails.answers} ->> ${key}`;
  if (wanted === null) return sql`${stored} IS NULL`;
  const answers = [wanted].flat();
  if (isText) return or(...answers.map((part) => sql`instr(lower(${stored}), lower(${part})) > 0`));
  return sql`${stored} IN ${answers}`;
}

/** The unary plus keeps SQLite from walking the index on times, which is slower than the table for most periods. */
export const joined = sql`+${waitlistEmails.created_at}`;

/** Of a day, or of a minute of it. Where a clock change skips or repeats the minute, the earlier moment. */
export function startOf(day: string, time: string | undefined, timeZone: string): EpochMillis {
  return time === undefined ? startOfDay(day, timeZone) : Math.min(...momentsOf(day, time, timeZone));
}

/** The end of a day, or of a minute of it; the later moment likewise. */
export function endOf(day: string, time: string | undefined, timeZone: string): EpochMillis {
  if (time === undefined) return startOfDay(shiftDate(day, 1), timeZone);
  return Math.max(...momentsOf(day, time, timeZone)) + 60_000;
}

function momentsOf(day: string, time: string, timeZone: string): EpochMillis[] {
  const { kind: _, ...moments } = parseLocalTime(`${day}T${time}`, timeZone);
  return Object.values(moments);
}

/** Sent emails, which most entries have, are looked up by entry; the few waiting or dead ones by their index. */
export function hasEmail(db: Db, { state, reason }: EmailFilter): SQL {
  const { entry_id, done_at, dead_at, reason: stored } = emailOutbox;
  const why = reason === undefined ? undefined : reason === null ? isNull(stored) : eq(stored, reason);
  const emails = db.select({ entry_id }).from(emailOutbox);
  if (state === "sent") {
    const isStored = exists(emails.where(and(eq(entry_id, waitlistEmails.id), isNotNull(done_at), why)));
    return reason === undefined ? sql`(${isNotNull(waitlistEmails.welcomed_at)} OR ${isStored})` : isStored;
  }
  const isUnknown = sql`${stored} IS 'outcome-unknown'`;
  const states = {
    waiting: and(isNull(done_at), isNull(dead_at)),
    dead: and(isNotNull(dead_at), reason === undefined ? not(isUnknown) : undefined),
    unknown: and(isNotNull(dead_at), isUnknown),
  };
  return inArray(waitlistEmails.id, emails.where(and(states[state], why)));
}

/** What is linked to an entry is looked up in indexes. A friend who was erased still counts in `referrers`. */
export const isUntouched = sql`(${waitlistEmails.changed_at} IS NULL
  AND NOT EXISTS (SELECT 1 FROM letter_recipients WHERE entry_id = ${waitlistEmails.id})
  AND NOT EXISTS (SELECT 1 FROM referrals WHERE entry_id = ${waitlistEmails.id} OR referrer_id = ${waitlistEmails.id})
  AND NOT EXISTS (SELECT 1 FROM referrers WHERE entry_id = ${waitlistEmails.id})
  AND NOT EXISTS (SELECT 1 FROM email_outbox WHERE entry_id = ${waitlistEmails.id} AND kind <> 'welcome'))`;

/** A subquery: few entries have friends, so SQLite starts from those. */
export function hasFriends(db: Db, friends: number): SQL {
  const { entry_id, counted } = referrers;
  return inArray(waitlistEmails.id, db.select({ entry_id }).from(referrers).where(gte(counted, friends)));
}

export function hasMilestone(wanted: boolean, db: Db): SQL {
  const { entry_id } = reachedMilestones;
  const reached = inArray(waitlistEmails.id, db.select({ entry_id }).from(reachedMilestones));
  return wanted ? reached : not(reached);
}
