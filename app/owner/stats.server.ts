import { and, asc, count, desc, eq, gte, isNotNull, isNull, sql } from "drizzle-orm";
import { type LocalDay, lastLocalDays, QUARTER_HOUR } from "#app/owner/time-zone-days.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import {
  type BlockedReason,
  blockedAttempts,
  type CountSubject,
  counts,
  emailOutbox,
  signUpCounts,
} from "#app/server/db/schema.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

/** Stats for the overview. Read from counters and indexes, so the cost does not grow with the list. */
export interface Stats {
  /** `joined` = `active` + `unsubscribed` + `erased`. */
  entries: { joined: number; active: number; unsubscribed: number; erased: number };
  /** Sign-ups on each day, including people erased since, and the running total; oldest first. */
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
  /** Total, including emails to people erased since. */
  sent: number;
  waiting: number;
  dead: number;
  /** Why emails are waiting or dead, among the newest {@link REASONS_SAMPLE} of each; most frequent first. */
  reasons: ({ state: "waiting" | "dead" } & Reason)[];
}

/** `reason` is null before the first attempt. Stored in alerts, so these names are part of the database. */
export interface Reason {
  reason: string | null;
  mails: number;
}

/** Maximum number of emails to read reasons from: a broken sender may leave hundreds of thousands. */
export const REASONS_SAMPLE = 5_000;

/** Groups listed by name. */
const MAX_GROUPS = 12;

/**
 * @param now milliseconds since 1970
 * @param days number of days, ending today
 * @param timeZone IANA name of the time zone that days are in
 */
export async function readStats(
  db: Db,
  { now, days, timeZone }: { now: number; days: number; timeZone: string },
): Promise<Stats> {
  const calendar = lastLocalDays(now, days, timeZone);
  const q = statsQueries(db, calendar);
  const batch = [q.totals, q.days, q.sources, q.campaigns, q.waiting, q.dead, q.blocked] as const;
  const [totals, joined, sources, campaigns, waiting, dead, blocked] = await withDbTimeout(db.batch(batch));
  const total = (subject: CountSubject, name: string) =>
    totals.find((row) => row.subject === subject && row.name === name)?.count ?? 0;
  const [active, unsubscribed] = [total("entries", "active"), total("entries", "unsubscribed")];
  return {
    entries: { joined: total("entries", "joined"), active, unsubscribed, erased: total("entries", "erased") },
    days: withRunningTotal(calendar, joined, total("entries", "joined")),
    sources: withOthers(sources, active + unsubscribed),
    campaigns: withOthers(campaigns, active + unsubscribed),
    emails: {
      sent: total("mail", "sent"),
      waiting: total("mail", "waiting"),
      dead: total("mail", "dead"),
      reasons: [
        ...waiting.map((row) => ({ state: "waiting" as const, ...row })),
        ...dead.map((row) => ({ state: "dead" as const, ...row })),
      ],
    },
    blocked,
  };
}

/** The queries of {@link readStats}, exported so that a test can check their plans. */
export function statsQueries(db: Db, calendar: LocalDay[]) {
  const firstDay = new Date(calendar[0]?.from ?? 0).toISOString().slice(0, 10);
  return {
    totals: db.select().from(counts).where(sql`${counts.subject} IN ('entries', 'mail')`),
    days: joinedBetween(db, calendar),
    sources: largestGroups(db, "source"),
    campaigns: largestGroups(db, "campaign"),
    waiting: reasonsQuery(db, "waiting"),
    dead: reasonsQuery(db, "dead"),
    blocked: db
      .select()
      .from(blockedAttempts)
      .where(gte(blockedAttempts.day, firstDay))
      .orderBy(desc(blockedAttempts.day), asc(blockedAttempts.reason)),
  };
}

/** Sign-ups in each period, in the given order. Periods must begin and end on a quarter of an hour. */
export function joinedBetween(db: Db, periods: { from: number; until: number }[]) {
  const quarters = JSON.stringify(periods.map(({ from, until }) => [from / QUARTER_HOUR, until / QUARTER_HOUR]));
  const people = db
    .select({ sum: sql`coalesce(sum(${signUpCounts.people}), 0)` })
    .from(signUpCounts)
    .where(sql`${signUpCounts.quarter} >= value ->> 0 AND ${signUpCounts.quarter} < value ->> 1`);
  return db
    .select({ people: sql<number>`(${people})` })
    .from(sql`json_each(${quarters})`)
    .orderBy(sql`key`);
}

/** The names of the largest groups, largest first. */
export async function readLargestGroups(db: Db, subject: "source" | "campaign"): Promise<string[]> {
  return (await withDbTimeout(largestGroups(db, subject))).map(({ name }) => name);
}

function largestGroups(db: Db, subject: CountSubject) {
  return db
    .select({ name: counts.name, people: counts.count })
    .from(counts)
    .where(eq(counts.subject, subject))
    .orderBy(desc(counts.count))
    .limit(MAX_GROUPS);
}

/** Reasons for the newest emails in a state, most frequent first. */
export function reasonsQuery(db: Db, state: "waiting" | "dead") {
  const { last_error, dead_at, sent_at, next_attempt_at } = emailOutbox;
  const isWaiting = and(isNull(sent_at), isNull(dead_at));
  const sample = db
    .select({ reason: last_error })
    .from(emailOutbox)
    .where(state === "dead" ? isNotNull(dead_at) : isWaiting)
    .orderBy(desc(state === "dead" ? dead_at : next_attempt_at))
    .limit(REASONS_SAMPLE)
    .as("sample");
  return db
    .select({ reason: sample.reason, mails: count() })
    .from(sample)
    .groupBy(sample.reason)
    .orderBy(desc(count()));
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

function withDbTimeout<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
