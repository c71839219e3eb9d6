import { and, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, notInArray, sql, sum } from "drizzle-orm";
import { toEmailStats, unsentEmails } from "#app/email/email-stats.server.ts";
import { type LetterAlert, type LetterAlertReason, MAX_MILESTONES } from "#app/email/templates/owner-emails.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox, emailPauses } from "#app/server/db/schema/email.server.ts";
import { letters } from "#app/server/db/schema/letters.server.ts";
import { reachedMilestones } from "#app/server/db/schema/referrals.server.ts";
import { blockedAttempts } from "#app/server/db/schema/statistics.server.ts";
import { utcDay } from "#app/server/time/calendar.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import * as switches from "#app/switches.ts";
import { countByStatus } from "#app/waitlist/entries/entry-counts.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

const DAY: Millis = 24 * 3_600_000;

/** The usual number of blocked attempts is the average of this many days before today. */
const USUAL_DAYS = 7;

interface Period {
  from: EpochMillis;
  until: EpochMillis;
  /** The newest entry when people were last counted; null if that is not known. */
  after: number | null;
}

/** The current totals. Scans the list, so it is called only for digests that will be sent. */
export async function readDigestTotals(db: Db, now: EpochMillis) {
  const [[entries], unsent] = await db.batch([countByStatus(db, now), unsentEmails(db)]);
  const { waiting, dead, unknown } = toEmailStats(0, unsent);
  return { active: entries?.active ?? 0, waiting, dead: dead + unknown };
}

/** How many joined in a period, how many of those added since `after` had joined before it, and the newest entry now. */
interface Joined {
  people: number;
  late: number;
  newest: number;
}

/** The sign-ups of each of some periods. Imported people are late by nature, and not counted as such. */
export async function countDigestSignUps(db: Db, periods: Period[]): Promise<Joined[]> {
  if (periods.length === 0) return [];
  const bounds = JSON.stringify(periods.map(({ from, until, after }) => [from, until, after]));
  // The unary plus keeps SQLite from the index on times, which has everyone who ever joined.
  return db.all<Joined>(sql`
    SELECT (SELECT count(*) FROM waitlist_emails WHERE created_at >= value ->> 0 AND created_at < value ->> 1) AS people,
      (SELECT count(*) FROM waitlist_emails
        WHERE id > value ->> 2 AND +created_at < value ->> 0 AND import_id IS NULL) AS late,
      (SELECT coalesce(max(id), 0) FROM waitlist_emails) AS newest
    FROM json_each(${bounds}) ORDER BY key`);
}

/** What alerts are about: what happened after each of some starts, up to `until`, and the blocked attempts of today. */
export async function readAlertStats(
  db: Db,
  { starts, until, now }: { starts: EpochMillis[]; until: EpochMillis; now: EpochMillis },
) {
  const { dead_at, reason, entry_id } = emailOutbox;
  const reasonsQuery = db
    .select({ start: sql<number>`key`, reason, emails: count() })
    .from(sql`json_each(${JSON.stringify(starts)})`)
    .innerJoin(emailOutbox, and(gt(dead_at, sql`value`), lte(dead_at, until), isNotNull(entry_id)))
    .groupBy(sql`key`, reason)
    .orderBy(desc(count()));
  const { day } = blockedAttempts;
  const blocked = db
    .select({ day, count: sum(blockedAttempts.count).mapWith(Number) })
    .from(blockedAttempts)
    .where(gte(day, utcDay(now - USUAL_DAYS * DAY)))
    .groupBy(day)
    .orderBy(desc(day));
  const [reasons, days, found] = await db.batch([
    reasonsQuery,
    blocked,
    // One statement, since a run of the cron job may make few.
    alertedLetters(db, Math.min(...starts), until)
      .unionAll(unverifiedPauseRow(db, until))
      .unionAll(reachedLately(db, until)),
  ]);
  const today = utcDay(now);
  const before = days.filter((row) => row.day < today).reduce((total, row) => total + row.count, 0);
  return {
    after: starts.map((start, index) => ({
      /** Why emails to entries became dead, the most frequent reason first. */
      reasons: reasons.filter((row) => row.start === index).map(({ start: _, ...row }) => row),
      /** Letters that paused themselves, missed their schedule, or have unknown outcomes. */
      letters: found
        .filter(({ id, time }) => id > UNVERIFIED_PAUSE && time > start)
        .map(({ time: _, ...letter }): LetterAlert => ({ ...letter, subject: fillGreetings(letter.subject, null) })),
      /** Whether emails to unverified sign-ups were paused. */
      held: found.some(({ id, time }) => id === UNVERIFIED_PAUSE && time > start),
      /** Milestones that were reached, whose rewards are not marked as given. */
      milestones: found.filter(({ id, time }) => id === MILESTONE && time > start).length,
    })),
    /** Blocked attempts today (UTC), and the daily average before. */
    today: { day: today, count: days.find((row) => row.day === today)?.count ?? 0 },
    usual: Math.round(before / USUAL_DAYS),
  };
}

/** Letters that the owner has to hear of, and since when. Unknown outcomes of the series need no decision. */
function alertedLetters(db: Db, since: EpochMillis, until: EpochMillis) {
  const { id, subject, step_id, state, scheduled_for, updated_at } = letters;
  const unknownAt = sql`(SELECT max(dead_at) FROM letter_batches INDEXED BY letter_batches_dead
    WHERE letter_id = letters.id AND dead_at IS NOT NULL)`;
  const isPaused = and(inArray(state, ["sending", "scheduled"]), isNotNull(emailPauses.reason));
  const pauseReason = sql`CASE WHEN ${emailPauses.reason} IN ('complaints', 'bounces') THEN ${emailPauses.reason}
    WHEN ${emailPauses.reason} = 'audience-changed' THEN 'audience'
    WHEN ${emailPauses.reason} IN ('daily-quota', 'monthly-quota') THEN 'quota' ELSE 'configuration' END`;
  // A draft that keeps the time of a cancelled schedule became one before that time.
  const isMissed = sql`${state} = 'draft' AND ${scheduled_for} <= ${updated_at}`;
  const time = sql<number>`CASE WHEN ${isPaused} THEN ${emailPauses.created_at} WHEN ${isMissed} THEN ${updated_at} ELSE ${unknownAt} END`;
  const reason = sql<LetterAlertReason>`CASE WHEN ${isPaused} THEN ${pauseReason} WHEN ${isMissed} THEN 'missed' ELSE 'unknown' END`;
  return db
    .select({ id, subject, stepId: step_id, reason: reason.as("alert_reason"), time: time.as("alert_time") })
    .from(letters)
    .leftJoin(
      emailPauses,
      and(eq(emailPauses.letter_id, letters.id), notInArray(emailPauses.reason, ["owner", "first-recipients"])),
    )
    .where(sql`alert_time > ${since} AND alert_time <= ${until} AND (${step_id} IS NULL OR alert_reason <> 'unknown')`);
}

/** In place of a letter's id. */
const UNVERIFIED_PAUSE = 0;

/** The pause of emails to unverified sign-ups, if there is one, as {@link alertedLetters} returns letters. */
function unverifiedPauseRow(db: Db, until: EpochMillis) {
  const { created_at } = emailPauses;
  const row = {
    id: sql<number>`${UNVERIFIED_PAUSE}`,
    subject: sql<string>`''`,
    stepId: sql<number | null>`NULL`,
    reason: sql<LetterAlertReason>`'bounces'`,
  };
  return db
    .select({ ...row, time: sql<number>`${created_at}` })
    .from(emailPauses)
    .where(and(eq(emailPauses.scope, "unverified"), isNull(emailPauses.until), lte(created_at, until)));
}

const MILESTONE = -1;

/** The last milestones that were reached, of those without their reward, as {@link alertedLetters} returns letters. */
function reachedLately(db: Db, until: EpochMillis) {
  const { reached_at, rewarded_at } = reachedMilestones;
  const row = {
    id: sql<number>`${MILESTONE}`.as("id"),
    subject: sql<string>`''`.as("subject"),
    stepId: sql<number | null>`NULL`.as("step"),
    reason: sql<LetterAlertReason>`''`.as("reason"),
  };
  // Rows are in the order in which they were added, so that no index is needed.
  const last = db
    .select({ ...row, time: sql<number>`${reached_at}`.as("time"), rewarded_at })
    .from(reachedMilestones)
    .orderBy(desc(sql`rowid`))
    .limit(switches.referrals ? MAX_MILESTONES : 0)
    .as("last");
  const { id, subject, stepId, reason, time } = last;
  return db
    .select({ id, subject, stepId, reason, time })
    .from(last)
    .where(and(isNull(last.rewarded_at), lte(time, until)));
}
