import { asc, count, desc, eq, gte, sql } from "drizzle-orm";
import { type Backlog, dueByPriority, toBacklog } from "#app/email/backlog.server.ts";
import { countEmails, type EmailStats, toEmailStats, unsentEmails } from "#app/email/email-stats.server.ts";
import { type GroupKind, groupRows, groupsOf, type StatsGroup } from "#app/features/overview/group-stats.server.ts";
import {
  comparedPeriods,
  earliest,
  firstVisitDay,
  type PeriodName,
  type PeriodStats,
  toPeriods,
  visitsByDay,
  visitsIn,
} from "#app/features/overview/period-stats.server.ts";
import type { PlanLimits } from "#app/server/config/plan-limits.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type SuppressionReason, suppressions } from "#app/server/db/schema/email.server.ts";
import { erasedTotals } from "#app/server/db/schema/entries.server.ts";
import { type BlockedReason, blockedAttempts, storedStats } from "#app/server/db/schema/statistics.server.ts";
import { logError } from "#app/server/log.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import { type LocalDay, lastLocalDays } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import * as switches from "#app/switches.ts";
import { countByStatus, joinedBetween } from "#app/waitlist/entries/entry-counts.server.ts";
import { originColumns } from "#app/waitlist/entries/origin-columns.ts";
import { countPioneers, PIONEERS_KEY } from "#app/waitlist/entries/pioneers.server.ts";
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
  /** Sign-up emails that bounced, and people who reported spam, in the last {@link RECENT_DAYS} days. */
  recent: { bounces: number; complaints: number };
  /** Blocked attempts, newest UTC day first. */
  blocked: { day: string; reason: BlockedReason; count: number }[];
}

interface ComputedStats {
  stats: Stats;
  computedAt: EpochMillis;
}

interface StatsOptions {
  /** Number of days, ending today. */
  days: number;
  /** IANA name of the time zone that days are in. */
  timeZone: string;
}

interface StatsDeps {
  db: Db;
  now: () => EpochMillis;
  plan: Pick<PlanLimits, "longListStatsAge">;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Periods to choose from (days). */
export const PERIODS = [30, 90, 365] as const;

/** Stored stats older than this are renewed behind the response. */
const MAX_AGE: Millis = 5 * 60_000;

/** A list that is long enough to use up the rows read of a day on the free plan. */
const LONG_LIST = 20_000;

/**
 * The stored stats with the time of their computation. Computed now if none are stored; renewed behind the response if
 * they are old.
 */
export async function readStats(deps: StatsDeps, options: StatsOptions): Promise<ComputedStats> {
  const stored = await findStored(deps.db, options);
  if (stored === null) return renewStats(deps, options);
  const { stats, computedAt } = stored;
  const isLong = stats.entries.joined - stats.entries.erased > LONG_LIST;
  const maxAge = isLong ? deps.plan.longListStatsAge : MAX_AGE;
  if (deps.now() - computedAt > maxAge) {
    deps.waitUntil(renewStats(deps, options).catch((error) => logError("stats-failed", error)));
  }
  return stored;
}

/** Computes and stores the stats, and the number that the landing page reads. */
export async function renewStats(
  { db, now }: Pick<StatsDeps, "db" | "now">,
  options: StatsOptions,
): Promise<ComputedStats> {
  const computedAt = now();
  const stats = await computeStats(db, { ...options, now: computedAt });
  const rows: (typeof storedStats.$inferInsert)[] = [{ key: keyOf(options), value: stats, computed_at: computedAt }];
  if (switches.pioneerCount)
    rows.push({ key: PIONEERS_KEY, value: countPioneers(stats.entries), computed_at: computedAt });
  await db
    .insert(storedStats)
    .values(rows)
    .onConflictDoUpdate({
      target: storedStats.key,
      set: { value: sql`excluded.value`, computed_at: sql`excluded.computed_at` },
    });
  return { stats, computedAt };
}

/** Aggregates the whole list: seconds for a million entries. */
export async function computeStats(
  db: Db,
  { now, days, timeZone }: StatsOptions & { now: EpochMillis },
): Promise<Stats> {
  const calendar = lastLocalDays(now, days, timeZone);
  const since = { from: calendar[0]?.from ?? 0, date: visitsFrom(calendar[0]?.date ?? "") };
  const periods = comparedPeriods(now, days, timeZone);
  const blockedSince = db
    .select()
    .from(blockedAttempts)
    .where(gte(blockedAttempts.day, utcDay(since.from)))
    .orderBy(desc(blockedAttempts.day), asc(blockedAttempts.reason));
  const [[counted], [erased], joined, groups, visits, [firstVisit], [emails], unsent, due, recent, blocked] =
    await db.batch([
      countByStatus(db, now),
      erasedTotal(db),
      joinedBetween(db, [...calendar, ...Object.values(periods)]),
      groupRows(db, since),
      visitsByDay(db, visitsFrom(earliest(periods))),
      firstVisitDay(db),
      countEmails(db),
      unsentEmails(db),
      dueByPriority(db, now),
      suppressedSince(db, now - RECENT_DAYS * DAY),
      blockedSince,
    ]);
  const { active = 0, unconfirmed = 0, suppressed = 0, unsubscribed = 0 } = counted ?? {};
  const joinedSoFar = active + unsubscribed + (erased?.people ?? 0);
  return {
    entries: {
      joined: joinedSoFar,
      canGetEmail: active - unconfirmed - suppressed,
      unconfirmed,
      suppressed,
      unsubscribed,
      erased: erased?.people ?? 0,
    },
    days: withRunningTotal(calendar, joined, joinedSoFar).map((day) => ({
      ...day,
      visits: visitsIn(visits, day.date),
    })),
    periods: toPeriods(periods, joined.slice(calendar.length), visits),
    groups: Object.fromEntries(shownGroups().map((kind) => [kind, groupsOf(groups, kind)])) as Stats["groups"],
    visitsSince: (switches.visits && firstVisit?.day) || null,
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
  return ["source", ...askedQuestions().map(answerField), "page", ...originColumns];
}

/** The day from which visits are read: none, if they are not counted any more. */
function visitsFrom(day: string): string {
  return switches.visits ? day : "9999";
}

export const RECENT_DAYS = 7;

const DAY = 24 * 3_600_000;

/** The suppressions of a time by their reason. Those that ended since are among them. */
function suppressedSince(db: Db, since: EpochMillis) {
  const { reason, created_at } = suppressions;
  return db.select({ reason, people: count() }).from(suppressions).where(gte(created_at, since)).groupBy(reason);
}

function numberOf(suppressed: { reason: SuppressionReason; people: number }[], reasons: SuppressionReason[]): number {
  return suppressed.reduce((sum, { reason, people }) => (reasons.includes(reason) ? sum + people : sum), 0);
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

async function findStored(db: Db, options: StatsOptions): Promise<ComputedStats | null> {
  const [row] = await db
    .select()
    .from(storedStats)
    .where(eq(storedStats.key, keyOf(options)));
  return row === undefined ? null : { stats: row.value as Stats, computedAt: row.computed_at };
}

/** Changes with the shape of {@link Stats}, so that stats stored by an earlier deployment are not read. */
const SHAPE = 3;

function keyOf({ days, timeZone }: StatsOptions): string {
  return ["overview", SHAPE, days, timeZone, ...askedQuestions().map(({ key }) => key)].join(":");
}
