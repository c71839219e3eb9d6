import { asc, desc, eq, gte, sql } from "drizzle-orm";
import { type Backlog, dueByPriority, toBacklog } from "#app/email/backlog.server.ts";
import { countEmails, type EmailStats, toEmailStats, unsentEmails } from "#app/email/email-stats.server.ts";
import { type Group, type GroupKind, groupRows, groupsOf } from "#app/owner/overview/group-stats.server.ts";
import {
  comparedPeriods,
  earliest,
  type PeriodName,
  type PeriodStats,
  toPeriods,
  visitsByDay,
  visitsIn,
} from "#app/owner/overview/period-stats.server.ts";
import { utcDay } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { erasedTotals } from "#app/server/db/schema/entries.server.ts";
import { type BlockedReason, blockedAttempts, storedStats } from "#app/server/db/schema/statistics.server.ts";
import { logError } from "#app/server/log.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { type LocalDay, lastLocalDays } from "#app/server/time-zone-days.ts";
import { questions } from "#app/site.ts";
import * as switches from "#app/switches.ts";
import { countByStatus, joinedBetween } from "#app/waitlist/entry-counts.server.ts";
import { countPioneers, PIONEERS_KEY } from "#app/waitlist/pioneers.server.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";

/** Stats for the overview. */
export interface Stats {
  /** `joined` = `active` + `unsubscribed` + `erased`; `unconfirmed` are those active ones that have yet to confirm. */
  entries: { joined: number; active: number; unconfirmed: number; unsubscribed: number; erased: number };
  /** Sign-ups on each day whose entries still exist, the running total of all, and visits; oldest first. */
  days: (LocalDay & { joined: number; total: number; visits: number })[];
  /** Sign-ups whose entries still exist, and visits, in the period and in those it is compared with. */
  periods: Record<PeriodName, PeriodStats>;
  /** Sign-ups and visits in the period: the largest groups first, then all others together. */
  groups: Record<GroupKind, Group[]>;
  emails: EmailStats;
  backlog: Backlog;
  /** Blocked attempts, newest UTC day first. */
  blocked: { day: string; reason: BlockedReason; count: number }[];
}

export interface ComputedStats {
  stats: Stats;
  /** Milliseconds since 1970. */
  computedAt: number;
}

export interface StatsOptions {
  /** Number of days, ending today. */
  days: number;
  /** IANA name of the time zone that days are in. */
  timeZone: string;
}

export interface StatsDeps {
  db: Db;
  /** Milliseconds since 1970. */
  now: () => number;
  workersPlan: WorkersPlan;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Stored stats older than this are renewed behind the response (milliseconds). */
const MAX_AGE = 5 * 60_000;

/** The same on the free plan for a list that is long enough to use up its rows read per day. */
const MAX_AGE_LONG_LIST = 60 * 60_000;
const LONG_LIST = 20_000;

/**
 * The stored stats with the time of their computation. Computed now if none are stored; renewed behind the response if
 * they are old.
 */
export async function readStats(deps: StatsDeps, options: StatsOptions): Promise<ComputedStats> {
  const stored = await findStored(deps.db, options);
  if (stored === null) return renewStats(deps, options);
  const { stats, computedAt } = stored;
  const isLong = stats.entries.active + stats.entries.unsubscribed > LONG_LIST;
  const maxAge = deps.workersPlan === "free" && isLong ? MAX_AGE_LONG_LIST : MAX_AGE;
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
  const rows = [
    { key: keyOf(options), value: stats, computed_at: computedAt },
    ...(switches.pioneerCount
      ? [{ key: PIONEERS_KEY, value: countPioneers(stats.entries), computed_at: computedAt }]
      : []),
  ];
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
export async function computeStats(db: Db, { now, days, timeZone }: StatsOptions & { now: number }): Promise<Stats> {
  const calendar = lastLocalDays(now, days, timeZone);
  const since = { from: calendar[0]?.from ?? 0, date: visitsFrom(calendar[0]?.date ?? "") };
  const periods = comparedPeriods(now, days, timeZone);
  const blockedSince = db
    .select()
    .from(blockedAttempts)
    .where(gte(blockedAttempts.day, utcDay(since.from)))
    .orderBy(desc(blockedAttempts.day), asc(blockedAttempts.reason));
  const [[counted], [erased], joined, groups, visits, [emails], unsent, due, blocked] = await db.batch([
    countByStatus(db),
    erasedTotal(db),
    joinedBetween(db, [...calendar, ...Object.values(periods)]),
    groupRows(db, since),
    visitsByDay(db, visitsFrom(earliest(periods))),
    countEmails(db),
    unsentEmails(db),
    dueByPriority(db, now),
    blockedSince,
  ]);
  const { active = 0, unconfirmed = 0, unsubscribed = 0 } = counted ?? {};
  const joinedSoFar = active + unsubscribed + (erased?.people ?? 0);
  return {
    entries: { joined: joinedSoFar, active, unconfirmed, unsubscribed, erased: erased?.people ?? 0 },
    days: withRunningTotal(calendar, joined, joinedSoFar).map((day) => ({
      ...day,
      visits: visitsIn(visits, day.date),
    })),
    periods: toPeriods(periods, joined.slice(calendar.length), visits),
    groups: {
      source: groupsOf(groups, "source"),
      ...Object.fromEntries(questions.map(answerField).map((kind) => [kind, groupsOf(groups, kind)])),
      page: groupsOf(groups, "page"),
      utm_source: groupsOf(groups, "utm_source"),
      utm_campaign: groupsOf(groups, "utm_campaign"),
      referrer_host: groupsOf(groups, "referrer_host"),
    },
    emails: toEmailStats(emails?.total ?? 0, unsent),
    backlog: toBacklog(due),
    blocked,
  };
}

/** The day from which visits are read: none, if they are not counted any more. */
function visitsFrom(day: string): string {
  return switches.visits ? day : "9999";
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
const SHAPE = 2;

function keyOf({ days, timeZone }: StatsOptions): string {
  return ["overview", SHAPE, days, timeZone, ...questions.map(({ key }) => key)].join(":");
}
