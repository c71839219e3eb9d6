import { and, count, desc, gt, gte, lte, sql, sum } from "drizzle-orm";
import { joinedBetween, type Reason, reasonsQuery } from "#app/owner/stats.server.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { blockedAttempts, counts, emailOutbox } from "#app/server/db/schema.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

const DAY = 24 * 3_600_000;

/** The usual number of blocked attempts is the average of this many days before today. */
const USUAL_DAYS = 7;

/** Sign-ups in a period of whole days, and the current totals. */
export async function readDigestStats(db: Db, period: { from: number; until: number }) {
  const totals = db.select().from(counts).where(sql`${counts.subject} IN ('entries', 'mail')`);
  const [[joined], rows] = await withTimeout(db.batch([joinedBetween(db, [period]), totals]), DB_TIMEOUT, "D1");
  const countOf = (subject: string, name: string) =>
    rows.find((row) => row.subject === subject && row.name === name)?.count ?? 0;
  return {
    joined: joined?.people ?? 0,
    active: countOf("entries", "active"),
    waiting: countOf("mail", "waiting"),
    dead: countOf("mail", "dead"),
  };
}

interface AlertStats {
  /** Emails that became dead after `since` and up to `until`, and the reasons for the newest dead ones. */
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
  const dead = db
    .select({ emails: count() })
    .from(emailOutbox)
    .where(and(gt(emailOutbox.dead_at, since), lte(emailOutbox.dead_at, until)));
  const { day } = blockedAttempts;
  const blocked = db
    .select({ day, count: sum(blockedAttempts.count).mapWith(Number) })
    .from(blockedAttempts)
    .where(gte(day, utcDay(now - USUAL_DAYS * DAY)))
    .groupBy(day)
    .orderBy(desc(day));
  const batch = [dead, reasonsQuery(db, "dead"), blocked] as const;
  const [[counted], reasons, days] = await withTimeout(db.batch(batch), DB_TIMEOUT, "D1");
  const today = utcDay(now);
  const before = days.filter((row) => row.day < today).reduce((total, row) => total + row.count, 0);
  return {
    dead: counted?.emails ?? 0,
    reasons,
    today: { day: today, count: days.find((row) => row.day === today)?.count ?? 0 },
    usual: Math.round(before / USUAL_DAYS),
  };
}

function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
