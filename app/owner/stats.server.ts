import { asc, desc, eq, gte, sql } from "drizzle-orm";
import { type LocalDay, lastLocalDays } from "#app/owner/time-zone-days.ts";
import type { Db } from "#app/server/db/client.server.ts";
import {
  type BlockedReason,
  blockedAttempts,
  emailOutbox,
  erasedTotals,
  storedStats,
  waitlistEmails,
} from "#app/server/db/schema.server.ts";
import { logError } from "#app/server/log.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";
import { isConfirmation } from "#app/waitlist/confirmation.server.ts";

/** Stats for the overview. */
export interface Stats {
  /** `joined` = `active` + `unsubscribed` + `erased`; `unconfirmed` are those active ones that have yet to confirm. */
  entries: { joined: number; active: number; unconfirmed: number; unsubscribed: number; erased: number };
  /** Sign-ups on each day whose entries still exist, and the running total of all; oldest first. */
  days: (LocalDay & { joined: number; total: number })[];
  /** Stored entries by name: the largest groups first, then all others together. */
  sources: Group[];
  campaigns: Group[];
  emails: EmailStats;
  /** Blocked attempts, newest UTC day first. */
  blocked: { day: string; reason: BlockedReason; count: number }[];
}

/** `name` is empty for entries without a campaign, and null for all other groups together. */
export interface Group {
  name: string | null;
  people: number;
}

export interface EmailStats {
  /** Emails to entries that still exist. */
  sent: number;
  waiting: number;
  dead: number;
  /** Why emails are waiting or dead, most frequent first. */
  reasons: ({ state: "waiting" | "dead" } & Reason)[];
}

/** `reason` is null before the first attempt. */
export interface Reason {
  reason: string | null;
  emails: number;
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

/** Groups and reasons listed by name. */
const MAX_GROUPS = 12;

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

/** Computes and stores the stats. */
export async function renewStats(
  { db, now }: Pick<StatsDeps, "db" | "now">,
  options: StatsOptions,
): Promise<ComputedStats> {
  const computedAt = now();
  const stats = await computeStats(db, { ...options, now: computedAt });
  const row = { value: stats, computed_at: computedAt };
  await db
    .insert(storedStats)
    .values({ key: keyOf(options), ...row })
    .onConflictDoUpdate({ target: storedStats.key, set: row });
  return { stats, computedAt };
}

/** Aggregates the whole list: seconds for a million entries. */
export async function computeStats(db: Db, { now, days, timeZone }: StatsOptions & { now: number }): Promise<Stats> {
  const calendar = lastLocalDays(now, days, timeZone);
  const firstDay = new Date(calendar[0]?.from ?? 0).toISOString().slice(0, 10);
  const blockedSince = db
    .select()
    .from(blockedAttempts)
    .where(gte(blockedAttempts.day, firstDay))
    .orderBy(desc(blockedAttempts.day), asc(blockedAttempts.reason));
  const [statuses, [erased], joined, sources, campaigns, emails, blocked] = await db.batch([
    countByStatus(db),
    erasedTotal(db),
    joinedBetween(db, calendar),
    largestGroups(db, "source"),
    largestGroups(db, "utm_campaign"),
    emailStates(db),
    blockedSince,
  ]);
  const countOf = (status: string) => statuses.find((row) => row.status === status)?.people ?? 0;
  const [active, unsubscribed] = [countOf("active"), countOf("unsubscribed")];
  const unconfirmed = statuses.find((row) => row.status === "active")?.unconfirmed ?? 0;
  const joinedSoFar = active + unsubscribed + (erased?.people ?? 0);
  return {
    entries: { joined: joinedSoFar, active, unconfirmed, unsubscribed, erased: erased?.people ?? 0 },
    days: withRunningTotal(calendar, joined, joinedSoFar),
    sources: withOthers(sources, active + unsubscribed),
    campaigns: withOthers(campaigns, active + unsubscribed),
    emails: toEmailStats(emails),
    blocked,
  };
}

/** Entries by status, and how many of them are unconfirmed. */
export function countByStatus(db: Db) {
  const { status } = waitlistEmails;
  const unconfirmed = sql<number>`sum(${isConfirmation.unconfirmed})`;
  return db.select({ status, people: sql<number>`count(*)`, unconfirmed }).from(waitlistEmails).groupBy(status);
}

function erasedTotal(db: Db) {
  return db.select({ people: sql<number>`coalesce(sum(${erasedTotals.count}), 0)` }).from(erasedTotals);
}

/** Sign-ups in each period (milliseconds since 1970, `until` exclusive), in the given order. */
export function joinedBetween(db: Db, periods: { from: number; until: number }[]) {
  const bounds = JSON.stringify(periods.map(({ from, until }) => [from, until]));
  const people = db
    .select({ count: sql`count(*)` })
    .from(waitlistEmails)
    .where(sql`${waitlistEmails.created_at} >= value ->> 0 AND ${waitlistEmails.created_at} < value ->> 1`);
  return db
    .select({ people: sql<number>`(${people})` })
    .from(sql`json_each(${bounds})`)
    .orderBy(sql`key`);
}

/** The names of the largest sources, from the stored stats; of some sources where none are stored. */
export async function readSources(db: Db, options: StatsOptions): Promise<string[]> {
  const stored = await findStored(db, options);
  if (stored !== null) return stored.stats.sources.flatMap(({ name }) => name ?? []);
  const { source } = waitlistEmails;
  const found = await db.selectDistinct({ source }).from(waitlistEmails).limit(MAX_GROUPS);
  return found.map((row) => row.source);
}

function largestGroups(db: Db, column: "source" | "utm_campaign") {
  const name = sql<string>`coalesce(${waitlistEmails[column]}, '')`;
  return db
    .select({ name, people: sql<number>`count(*)` })
    .from(waitlistEmails)
    .groupBy(waitlistEmails[column])
    .orderBy(desc(sql`count(*)`))
    .limit(MAX_GROUPS);
}

type EmailStateRow = { state: "sent" | "waiting" | "dead"; reason: string | null; emails: number };

/** Emails to entries by state and, if unsent, reason; most frequent first. */
export function emailStates(db: Db) {
  const { sent_at, dead_at, reason, entry_id } = emailOutbox;
  const state = sql<
    EmailStateRow["state"]
  >`CASE WHEN ${sent_at} IS NOT NULL THEN 'sent' WHEN ${dead_at} IS NOT NULL THEN 'dead' ELSE 'waiting' END`;
  return db
    .select({ state: state.as("state"), reason, emails: sql<number>`count(*)` })
    .from(emailOutbox)
    .where(sql`${entry_id} IS NOT NULL`)
    .groupBy(sql`1`, sql`2`)
    .orderBy(desc(sql`count(*)`));
}

export function toEmailStats(rows: EmailStateRow[]): EmailStats {
  const total = (wanted: EmailStateRow["state"]) =>
    rows.reduce((sum, { state, emails }) => (state === wanted ? sum + emails : sum), 0);
  const reasons = (["waiting", "dead"] as const).flatMap((wanted) =>
    rows
      .filter(({ state }) => state === wanted)
      .slice(0, MAX_GROUPS)
      .map(({ reason, emails }) => ({ state: wanted, reason, emails })),
  );
  return { sent: total("sent"), waiting: total("waiting"), dead: total("dead"), reasons };
}

function withRunningTotal(calendar: LocalDay[], joined: { people: number }[], joinedSoFar: number): Stats["days"] {
  const people = calendar.map((_, index) => joined[index]?.people ?? 0);
  let total = joinedSoFar - people.reduce((sum, number) => sum + number, 0);
  return calendar.map((day, index) => {
    total += people[index] ?? 0;
    return { ...day, joined: people[index] ?? 0, total };
  });
}

function withOthers(largest: { name: string; people: number }[], all: number): Group[] {
  const others = all - largest.reduce((sum, { people }) => sum + people, 0);
  return others > 0 ? [...largest, { name: null, people: others }] : largest;
}

async function findStored(db: Db, options: StatsOptions): Promise<ComputedStats | null> {
  const [row] = await db
    .select()
    .from(storedStats)
    .where(eq(storedStats.key, keyOf(options)));
  return row === undefined ? null : { stats: row.value as Stats, computedAt: row.computed_at };
}

function keyOf({ days, timeZone }: StatsOptions): string {
  return `overview:${days}:${timeZone}`;
}
