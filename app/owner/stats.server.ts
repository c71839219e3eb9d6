import { and, asc, count, desc, eq, gte, isNotNull, isNull, sql } from "drizzle-orm";
import { type LocalDay, lastLocalDays, QUARTER } from "#app/owner/time-zone-days.ts";
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

/** What the owner sees at a glance. Read from counters and from indexes, so it costs the same at any size of the list. */
export interface Stats {
  /** `joined` = `active` + `unsubscribed` + `erased`. */
  entries: { joined: number; active: number; unsubscribed: number; erased: number };
  /** Each day with those who joined on it, erased since or not, and all who had joined by its end; oldest first. */
  days: (LocalDay & { joined: number; total: number })[];
  /** Entries that are kept, by name; the largest groups first, and how many are in none of those. */
  sources: Group[];
  campaigns: Group[];
  mail: EmailStats;
  /** Tries that the gate turned away, newest day first (UTC, as they are counted). */
  blocked: { day: string; reason: BlockedReason; count: number }[];
}

/** An empty name: no campaign. A null one: all other groups together. */
export interface Group {
  name: string | null;
  people: number;
}

export interface EmailStats {
  /** So far, whether or not its entry is still there. */
  sent: number;
  waiting: number;
  dead: number;
  /** Why mail waits or is dead, of the newest {@link REASONS_SAMPLE} of either; most frequent first. */
  reasons: ({ state: "waiting" | "dead" } & Reason)[];
}

/** Null: not tried yet. */
export interface Reason {
  reason: string | null;
  mails: number;
}

/** Reasons are looked up in so many mails at most: a broken sender may leave hundreds of thousands. */
export const REASONS_SAMPLE = 5_000;

/** Groups that a chart shows by name. */
const LARGEST = 12;

/**
 * @param now milliseconds since 1970
 * @param days how many of the last days to tell of
 * @param timeZone whose days; an IANA name
 */
export async function readStats(
  db: Db,
  { now, days, timeZone }: { now: number; days: number; timeZone: string },
): Promise<Stats> {
  const calendar = lastLocalDays(now, days, timeZone);
  const q = statsQueries(db, calendar);
  const batch = [q.totals, q.days, q.sources, q.campaigns, q.waiting, q.dead, q.blocked] as const;
  const [totals, joined, sources, campaigns, waiting, dead, blocked] = await inTime(db.batch(batch));
  const total = (subject: CountSubject, name: string) =>
    totals.find((row) => row.subject === subject && row.name === name)?.count ?? 0;
  const [active, unsubscribed] = [total("entries", "active"), total("entries", "unsubscribed")];
  return {
    entries: { joined: total("entries", "joined"), active, unsubscribed, erased: total("entries", "erased") },
    days: withRunningTotal(calendar, joined, total("entries", "joined")),
    sources: withOthers(sources, active + unsubscribed),
    campaigns: withOthers(campaigns, active + unsubscribed),
    mail: {
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

/** The statements behind {@link readStats}; apart from it so that a test can have them explained. */
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

/** How many joined in each of some stretches of time that begin and end on the quarter of an hour; in their order. */
export function joinedBetween(db: Db, stretches: { from: number; until: number }[]) {
  const quarters = JSON.stringify(stretches.map(({ from, until }) => [from / QUARTER, until / QUARTER]));
  const people = db
    .select({ sum: sql`coalesce(sum(${signUpCounts.people}), 0)` })
    .from(signUpCounts)
    .where(sql`${signUpCounts.quarter} >= value ->> 0 AND ${signUpCounts.quarter} < value ->> 1`);
  return db
    .select({ people: sql<number>`(${people})` })
    .from(sql`json_each(${quarters})`)
    .orderBy(sql`key`);
}

/** The names under which most entries are kept; largest first. */
export async function readLargest(db: Db, subject: "source" | "campaign"): Promise<string[]> {
  return (await inTime(largestGroups(db, subject))).map(({ name }) => name);
}

function largestGroups(db: Db, subject: CountSubject) {
  return db
    .select({ name: counts.name, people: counts.count })
    .from(counts)
    .where(eq(counts.subject, subject))
    .orderBy(desc(counts.count))
    .limit(LARGEST);
}

/** Why the newest mails of a state are in it, most frequent first. */
export function reasonsQuery(db: Db, state: "waiting" | "dead") {
  const { last_error, dead_at, sent_at, next_attempt_at } = emailOutbox;
  const isWaiting = and(isNull(sent_at), isNull(dead_at));
  const some = db
    .select({ reason: last_error })
    .from(emailOutbox)
    .where(state === "dead" ? isNotNull(dead_at) : isWaiting)
    .orderBy(desc(state === "dead" ? dead_at : next_attempt_at))
    .limit(REASONS_SAMPLE)
    .as("some");
  return db.select({ reason: some.reason, mails: count() }).from(some).groupBy(some.reason).orderBy(desc(count()));
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

function inTime<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
