import { and, asc, count, desc, gte, like, lt, sql } from "drizzle-orm";
import { type Backlog, dueByPriority, toBacklog } from "#app/email/backlog.server.ts";
import { countEmails, type EmailStats, toEmailStats, unsentEmails } from "#app/email/email-stats.server.ts";
import { type GroupKind, groupRows, groupsOf, type StatsGroup } from "#app/features/overview/group-stats.server.ts";
import {
  comparedPeriods,
  earliest,
  firstVisitDay,
  type PeriodName,
  type PeriodStats,
  type StatsPeriod,
  toPeriods,
  visitsByDay,
  visitsIn,
} from "#app/features/overview/period-stats.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type SuppressionReason, suppressions } from "#app/server/db/schema/email.server.ts";
import { erasedTotals, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { type BlockedReason, blockedAttempts, storedStats } from "#app/server/db/schema/statistics.server.ts";
import { type Computed, readStored, type StatsDeps, storeStats } from "#app/server/db/stored-stats.server.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import { type LocalDay, localDate } from "#app/server/time/time-zone-days.ts";
import { DAY, type EpochMillis, HOUR } from "#app/server/time/units.ts";
import * as switches from "#app/switches.ts";
import { countByStatus, joinedBetween } from "#app/waitlist/entries/entry-counts.server.ts";
import { originColumns } from "#app/waitlist/entries/origin-columns.ts";
import { PIONEERS_KEY, type PioneerCounts } from "#app/waitlist/entries/pioneers.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";

export interface Stats {
  /** Everyone who joined is in one of the other states. */
  entries: {
    joined: number;
    canGetEmail: number;
    unconfirmed: number;
    /** Active and confirmed, but their address bounced, or is blocked. */
    suppressed: number;
    unsubscribed: number;
    erased: number;
  };
  /** What the landing page is to show. */
  pioneers: PioneerCounts;
  /** Sign-ups on each day whose entries still exist, the running total of all, and visits; oldest first. */
  days: (LocalDay & { joined: number; total: number; visits: number })[];
  /** Sign-ups whose entries still exist, and visits, in the period and in those it is compared with. */
  periods: Record<PeriodName, PeriodStats>;
  /** Sign-ups and visits in the period: the largest groups first, then all others together. */
  groups: Record<GroupKind, StatsGroup[]>;
  emails: EmailStats;
  backlog: Backlog;
  /** The first day of the owner's time zone whose visits were counted; null before that. */
  visitsSince: string | null;
  /** The day on which the first entry joined that still exists; null without one. */
  joinedSince: string | null;
  /** Sign-up emails that bounced, and people who reported spam, in the last {@link RECENT_DAYS} days. */
  recent: { bounces: number; complaints: number };
  /** Blocked attempts of the period, and of all days since a while before today; newest UTC day first. */
  blocked: { day: string; reason: BlockedReason; count: number }[];
}

interface ComputedStats {
  stats: Stats;
  computedAt: EpochMillis;
}

type StatsOptions = StatsPeriod & {
  /** IANA name of the time zone that days are in. */
  timeZone: string;
};

/** Periods to choose from (days). */
export const PERIODS = [30, 90, 365] as const;

/**
 * The stored stats with the time of their computation. Computed now if none are stored; renewed behind the response if
 * they are old.
 */
export async function readStats(deps: StatsDeps, options: StatsOptions): Promise<ComputedStats> {
  const { value: stats, computedAt } = await readStored(deps, {
    key: keyOf(options),
    renew: async (): Promise<Computed<Stats>> => {
      const { stats: value, computedAt } = await renewStats(deps, options);
      return { value, computedAt };
    },
    entries: ({ entries }) => entries.joined - entries.erased,
  });
  return { stats, computedAt };
}

/** Computes and stores the stats, and the numbers that the landing page reads. */
export async function renewStats(
  { db, now }: Pick<StatsDeps, "db" | "now">,
  options: StatsOptions,
): Promise<ComputedStats> {
  const computedAt = now();
  const stats = await computeStats(db, { ...options, now: computedAt });
  const rows: (typeof storedStats.$inferInsert)[] = [{ key: keyOf(options), value: stats, computed_at: computedAt }];
  if (switches.pioneerCount) rows.push({ key: PIONEERS_KEY, value: stats.pioneers, computed_at: computedAt });
  const oldDates = and(like(storedStats.key, "overview:%..%"), lt(storedStats.computed_at, computedAt - DATES_KEPT));
  await db.batch([storeStats(db, rows), db.delete(storedStats).where(oldDates)]);
  return { stats, computedAt };
}

/** For how long stats of chosen dates are stored: there are many such periods, and each is looked at for a while. */
const DATES_KEPT = HOUR;

/** Aggregates the whole list: seconds for a million entries. */
export async function computeStats(
  db: Db,
  { now, timeZone, ...period }: StatsOptions & { now: EpochMillis },
): Promise<Stats> {
  const { calendar, ...periods } = comparedPeriods(now, period, timeZone);
  const { chosen } = periods;
  const after = { from: chosen.until, until: Number.MAX_SAFE_INTEGER };
  const blockedSince = db
    .select()
    .from(blockedAttempts)
    .where(gte(blockedAttempts.day, utcDay(Math.min(chosen.from, now - FLOOD_DAYS * DAY))))
    .orderBy(desc(blockedAttempts.day), asc(blockedAttempts.reason));
  const [
    [counted],
    [erased],
    joined,
    groups,
    visits,
    [firstVisit],
    [firstEntry],
    [emails],
    unsent,
    due,
    recent,
    blocked,
  ] = await db.batch([
    countByStatus(db, now),
    erasedTotal(db),
    joinedBetween(db, [...calendar, ...Object.values(periods), after]),
    groupRows(db, { ...chosen, first: visitsFrom(chosen.first), recent: chosen.until - RECENT_DAYS * DAY }),
    visitsByDay(db, visitsFrom(earliest(periods))),
    firstVisitDay(db),
    firstSignUp(db),
    countEmails(db),
    unsentEmails(db),
    dueByPriority(db, now),
    suppressedSince(db, now - RECENT_DAYS * DAY),
    blockedSince,
  ]);
  const { active = 0, unconfirmed = 0, suppressed = 0, unsubscribed = 0 } = counted ?? {};
  const { count: pioneers = 0, host = 0, stallholder = 0 } = counted ?? {};
  const joinedSoFar = active + unsubscribed + (erased?.people ?? 0);
  const joinedByThen = joinedSoFar - (joined.at(-1)?.people ?? 0);
  return {
    entries: {
      joined: joinedSoFar,
      canGetEmail: active - unconfirmed - suppressed,
      unconfirmed,
      suppressed,
      unsubscribed,
      erased: erased?.people ?? 0,
    },
    pioneers: { count: pioneers, host, stallholder },
    days: withRunningTotal(calendar, joined, joinedByThen).map((day) => ({
      ...day,
      visits: visitsIn(visits, day.date),
    })),
    periods: toPeriods(periods, joined.slice(calendar.length), visits),
    groups: Object.fromEntries(shownGroups().map((kind) => [kind, groupsOf(groups, kind)])) as Stats["groups"],
    visitsSince: (switches.visits && firstVisit?.day) || null,
    joinedSince: firstEntry === undefined ? null : localDate(firstEntry.at, timeZone),
    recent: {
      bounces: numberOf(recent, ["hard-bounce", "soft-bounces"]),
      complaints: numberOf(recent, ["complaint"]),
    },
    emails: toEmailStats(emails?.total ?? 0, unsent),
    backlog: toBacklog(due),
    blocked,
  };
}

function shownGroups(): GroupKind[] {
  const pages = switches.visits ? (["page"] as const) : [];
  return ["source", ...askedQuestions().map(answerField), ...pages, ...originColumns];
}

/** The day from which visits are read: none, if they are not counted any more. */
function visitsFrom(day: string): string {
  return switches.visits ? day : "9999";
}

export const RECENT_DAYS = 7;

/** Read for any period: what needs attention compares today's blocked attempts with those of the seven days before. */
const FLOOD_DAYS = 9;

/** The suppressions of a time by their reason. Those that ended since are among them. */
function suppressedSince(db: Db, since: EpochMillis) {
  const { reason, created_at } = suppressions;
  return db.select({ reason, people: count() }).from(suppressions).where(gte(created_at, since)).groupBy(reason);
}

function numberOf(suppressed: { reason: SuppressionReason; people: number }[], reasons: SuppressionReason[]): number {
  return suppressed.reduce((sum, { reason, people }) => (reasons.includes(reason) ? sum + people : sum), 0);
}

/** One row. */
function firstSignUp(db: Db) {
  const { created_at } = waitlistEmails;
  return db.select({ at: created_at }).from(waitlistEmails).orderBy(created_at).limit(1);
}

function erasedTotal(db: Db) {
  return db.select({ people: sql<number>`coalesce(sum(${erasedTotals.count}), 0)` }).from(erasedTotals);
}

function withRunningTotal(calendar: LocalDay[], joined: { people: number }[], joinedSoFar: number) {
  const people = calendar.map((_, index) => joined[index]?.people ?? 0);
  let total = joinedSoFar - people.reduce((sum, number) => sum + number, 0);
  return calendar.map((day, index) => {
    total += people[index] ?? 0;
    return { ...day, joined: people[index] ?? 0, total };
  });
}

/** Changes with the shape of {@link Stats}, so that stats stored by an earlier deployment are not read. */
const SHAPE = 4;

function keyOf({ timeZone, ...period }: StatsOptions): string {
  const days = "days" in period ? period.days : `${period.from}..${period.until}`;
  return ["overview", SHAPE, days, timeZone, ...askedQuestions().map(({ key }) => key)].join(":");
}
