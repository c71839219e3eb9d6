import { and, eq, exists, gte, inArray, isNotNull, isNull, not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import type { EmailFilter, EntryFilter, ShownStatus } from "#app/server/db/schema/entry-filter.ts";
import { reachedMilestones, referrers } from "#app/server/db/schema/referrals.server.ts";
import { isSuppressed } from "#app/server/db/suppressions.server.ts";
import { parseLocalTime } from "#app/server/time/local-time.ts";
import { shiftDate, startOfDay } from "#app/server/time/time-zone-days.ts";
import { questions } from "#app/site.ts";
import { isConfirmation } from "#app/waitlist/confirmation/confirmation.server.ts";
import { originColumns } from "#app/waitlist/entries/origin-columns.ts";

export interface EntrySelection extends EntryFilter {
  /** Part of an address, lower case. */
  search?: string | undefined;
  /** Only people who may get email: they are active, and not waiting to confirm. An export also leaves out suppressed addresses. */
  mayGetEmail?: boolean | undefined;
  /** The time zone of the days in the filter (default: UTC). */
  timeZone?: string | undefined;
  /** Milliseconds since 1970, for suppressions that end (default: the present). */
  now?: number | undefined;
}

/** The condition on `waitlist_emails`; undefined if every entry is selected. */
export function isSelected(db: Db, selection: EntrySelection): SQL | undefined {
  const {
    status,
    confirmation,
    answers = {},
    source,
    imported,
    invited,
    email,
    disposable,
    friends,
    milestone,
    search,
    mayGetEmail,
    now = Date.now(),
  } = selection;
  const columns = waitlistEmails;
  return and(
    hasStatus(status, now),
    confirmation === undefined ? undefined : isConfirmation[confirmation],
    mayGetEmail ? and(eq(columns.status, "active"), not(isConfirmation.unconfirmed)) : undefined,
    source === undefined ? undefined : eq(columns.source, source),
    hasValue(columns.import_id, imported),
    hasValue(columns.invited_at, invited),
    ...originColumns.map((name) => hasOrigin(name, selection[name])),
    disposable === undefined ? undefined : eq(columns.disposable, disposable),
    joinedWithin(selection),
    search ? sql`instr(${columns.email}, ${search}) > 0` : undefined,
    // After the plain columns: SQLite looks at the next condition only where those before it hold.
    ...Object.entries(answers).map(([key, answer]) => hasAnswer(key, answer)),
    email === undefined ? undefined : hasEmail(db, email),
    friends === undefined ? undefined : hasFriends(db, friends),
    milestone === undefined ? undefined : hasMilestone(db, milestone),
  );
}

/** As `statusOf` tells them apart. */
function hasStatus(status: ShownStatus | undefined, now: number): SQL | undefined {
  if (status === undefined) return undefined;
  if (status === "unsubscribed") return eq(waitlistEmails.status, status);
  const { unconfirmed } = isConfirmation;
  const isActive = eq(waitlistEmails.status, "active");
  if (status === "unconfirmed") return and(isActive, unconfirmed);
  const suppressed = isSuppressed(now);
  return and(isActive, not(unconfirmed), status === "suppressed" ? suppressed : not(suppressed));
}

/** Texts are found by a part of them, in any case (of ASCII letters). */
function hasAnswer(key: string, wanted: string | string[] | null): SQL | undefined {
  const stored = sql`${waitlistEmails.answers} ->> ${key}`;
  if (wanted === null) return sql`${stored} IS NULL`;
  const answers = [wanted].flat();
  const isText = questions.some((question) => question.key === key && question.answers === undefined);
  if (isText) return or(...answers.map((part) => sql`instr(lower(${stored}), lower(${part})) > 0`));
  return sql`${stored} IN ${answers}`;
}

function hasValue(column: SQLiteColumn, wanted: boolean | undefined): SQL | undefined {
  if (wanted === undefined) return undefined;
  return wanted ? isNotNull(column) : isNull(column);
}

/** Names of campaigns in any case: people retype links. */
function hasOrigin(name: (typeof originColumns)[number], value: string | null | undefined): SQL | undefined {
  if (value === undefined) return undefined;
  return value === null ? isNull(waitlistEmails[name]) : sql`${waitlistEmails[name]} = ${value} COLLATE NOCASE`;
}

/** The unary plus keeps SQLite from walking the index on times, which is slower than the table for most periods. */
function joinedWithin({ from, from_time, until, until_time, timeZone = "UTC" }: EntrySelection): SQL | undefined {
  const joined = sql`+${waitlistEmails.created_at}`;
  return and(
    from === undefined ? undefined : sql`${joined} >= ${startOf(from, from_time, timeZone)}`,
    until === undefined ? undefined : sql`${joined} < ${endOf(until, until_time, timeZone)}`,
  );
}

/** Of a day, or of a minute of it. Where a clock change skips or repeats the minute, the earlier moment. */
function startOf(day: string, time: string | undefined, timeZone: string): number {
  return time === undefined ? startOfDay(day, timeZone) : Math.min(...momentsOf(day, time, timeZone));
}

/** The end of a day, or of a minute of it; the later moment likewise. */
function endOf(day: string, time: string | undefined, timeZone: string): number {
  if (time === undefined) return startOfDay(shiftDate(day, 1), timeZone);
  return Math.max(...momentsOf(day, time, timeZone)) + 60_000;
}

function momentsOf(day: string, time: string, timeZone: string): number[] {
  const { kind: _, ...moments } = parseLocalTime(`${day}T${time}`, timeZone);
  return Object.values(moments);
}

/** Sent emails, which most entries have, are looked up by entry; the few waiting or dead ones by their index. */
function hasEmail(db: Db, { state, reason }: EmailFilter): SQL {
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

/** Whether so many friends of an entry count. Few entries have any, so they are listed first. */
function hasFriends(db: Db, friends: number): SQL {
  const { entry_id, counted } = referrers;
  return inArray(waitlistEmails.id, db.select({ entry_id }).from(referrers).where(gte(counted, friends)));
}

function hasMilestone(db: Db, wanted: boolean): SQL {
  const { entry_id } = reachedMilestones;
  const reached = inArray(waitlistEmails.id, db.select({ entry_id }).from(reachedMilestones));
  return wanted ? reached : not(reached);
}
