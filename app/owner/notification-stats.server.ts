import { and, count, desc, gt, gte, lte, sql, sum } from "drizzle-orm";
import { joinedBetween, type Reason, reasonsQuery } from "#app/owner/stats.server.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { blockedAttempts, counts, emailOutbox } from "#app/server/db/schema.server.ts";
import { withTimeout } from "#app/server/timeout.ts";

const DAY = 24 * 3_600_000;

/** Days that the usual number of refused tries is taken from. */
const USUAL_DAYS = 7;

/** Who joined in a time that begins and ends with a day, and how things stand. */
export async function readDigestFigures(db: Db, stretch: { from: number; until: number }) {
  const totals = db.select().from(counts).where(sql`${counts.subject} IN ('entries', 'mail')`);
  const [[joined], rows] = await withTimeout(db.batch([joinedBetween(db, [stretch]), totals]), DB_TIMEOUT, "D1");
  const of = (subject: string, name: string) =>
    rows.find((row) => row.subject === subject && row.name === name)?.count ?? 0;
  return {
    joined: joined?.people ?? 0,
    active: of("entries", "active"),
    waiting: of("mail", "waiting"),
    dead: of("mail", "dead"),
  };
}

interface AlertFigures {
  /** Mails given up after `since` and up to `until`, and why the newest dead ones were. */
  dead: number;
  reasons: Reason[];
  /** Tries turned away on the day it is (UTC), and on each of the days before on average. */
  today: { day: string; count: number };
  usual: number;
}

export async function readAlertFigures(
  db: Db,
  { since, until, now }: { since: number; until: number; now: number },
): Promise<AlertFigures> {
  const dead = db
    .select({ mails: count() })
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
    dead: counted?.mails ?? 0,
    reasons,
    today: { day: today, count: days.find((row) => row.day === today)?.count ?? 0 },
    usual: Math.round(before / USUAL_DAYS),
  };
}

function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
