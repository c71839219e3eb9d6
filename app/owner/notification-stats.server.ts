import { and, count, desc, gt, gte, isNotNull, lte, sum } from "drizzle-orm";
import { countByStatus, emailStates, joinedBetween, type Reason, toEmailStats } from "#app/owner/stats.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { blockedAttempts, emailOutbox } from "#app/server/db/schema.server.ts";

const DAY = 24 * 3_600_000;

/** The usual number of blocked attempts is the average of this many days before today. */
const USUAL_DAYS = 7;

/** Reasons named in an alert. */
const MAX_REASONS = 3;

/** Sign-ups in a period, and the current totals. Scans the list, so it is called only for a digest that will be sent. */
export async function readDigestStats(db: Db, period: { from: number; until: number }) {
  const [[joined], statuses, emails] = await db.batch([
    joinedBetween(db, [period]),
    countByStatus(db),
    emailStates(db),
  ]);
  const { waiting, dead } = toEmailStats(emails);
  return {
    joined: joined?.people ?? 0,
    active: statuses.find(({ status }) => status === "active")?.people ?? 0,
    waiting,
    dead,
  };
}

/** Sign-ups in a period. */
export async function countJoined(db: Db, period: { from: number; until: number }): Promise<number> {
  const [row] = await joinedBetween(db, [period]);
  return row?.people ?? 0;
}

interface AlertStats {
  /** Emails to entries that became dead after `since` and up to `until`, and the most frequent reasons. */
  dead: number;
  reasons: Reason[];
  /** Blocked attempts today (UTC), and the daily average before. */
  today: { day: string; count: number };
  usual: number;
}

export async function readAlertStats(
  db: Db,
  { since, until, now }: { since: number; until: number; now: number },
): Promise<AlertStats> {
  const { dead_at, reason, entry_id } = emailOutbox;
  const reasonsQuery = db
    .select({ reason, emails: count() })
    .from(emailOutbox)
    .where(and(gt(dead_at, since), lte(dead_at, until), isNotNull(entry_id)))
    .groupBy(reason)
    .orderBy(desc(count()));
  const { day } = blockedAttempts;
  const blocked = db
    .select({ day, count: sum(blockedAttempts.count).mapWith(Number) })
    .from(blockedAttempts)
    .where(gte(day, utcDay(now - USUAL_DAYS * DAY)))
    .groupBy(day)
    .orderBy(desc(day));
  const [reasons, days] = await db.batch([reasonsQuery, blocked]);
  const today = utcDay(now);
  const before = days.filter((row) => row.day < today).reduce((total, row) => total + row.count, 0);
  return {
    dead: reasons.reduce((total, { emails }) => total + emails, 0),
    reasons: reasons.slice(0, MAX_REASONS),
    today: { day: today, count: days.find((row) => row.day === today)?.count ?? 0 },
    usual: Math.round(before / USUAL_DAYS),
  };
}

function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
