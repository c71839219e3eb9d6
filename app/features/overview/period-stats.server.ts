import { gte, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { pageVisits } from "#app/server/db/schema/statistics.server.ts";
import { lastLocalDays } from "#app/server/time/time-zone-days.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** Both weeks are full ones, from Monday. `before` is as long as the chosen period, and ends where that begins. */
export type PeriodName = "today" | "yesterday" | "lastWeek" | "weekBefore" | "chosen" | "before";

export interface PeriodStats {
  /** Entries that joined and still exist. */
  joined: number;
  visits: number;
}

/** From the start of the first day to the end of the last one (`until` exclusive). */
interface Period {
  from: EpochMillis;
  until: EpochMillis;
  /** `YYYY-MM-DD` */
  first: string;
  last: string;
}

/** The periods that the overview compares; `chosen` is the last `days` days including today. */
export function comparedPeriods(now: EpochMillis, days: number, timeZone: string): Record<PeriodName, Period> {
  const calendar = lastLocalDays(now, Math.max(2 * days, 21), timeZone).toReversed();
  // Monday is 0.
  const weekday = (new Date(`${calendar[0]?.date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return {
    today: period(0, 1),
    yesterday: period(1, 1),
    lastWeek: period(weekday + 1, 7),
    weekBefore: period(weekday + 8, 7),
    chosen: period(0, days),
    before: period(days, days),
  };

  function period(ago: number, length: number): Period {
    const [last, first] = [calendar[ago], calendar[ago + length - 1]];
    if (last === undefined || first === undefined) throw new Error("The calendar is too short");
    return { from: first.from, until: last.until, first: first.date, last: last.date };
  }
}

export function earliest(periods: Record<PeriodName, Period>): string {
  return Object.values(periods).reduce((date, { first }) => (first < date ? first : date), "9999");
}

export function visitsByDay(db: Db, date: string) {
  const visits = sql<number>`(SELECT coalesce(sum(value), 0) FROM json_each(${pageVisits.counts}, '$.page'))`;
  return db.select({ day: pageVisits.day, visits }).from(pageVisits).where(gte(pageVisits.day, date));
}

/** The first day whose visits were counted: one row. */
export function firstVisitDay(db: Db) {
  return db.select({ day: pageVisits.day }).from(pageVisits).orderBy(pageVisits.day).limit(1);
}

type DayVisits = Awaited<ReturnType<typeof visitsByDay>>[number];

export function visitsIn(visits: DayVisits[], first: string, last = first): number {
  return visits.reduce((sum, row) => (row.day >= first && row.day <= last ? sum + row.visits : sum), 0);
}

/** @param joined one row for each period, in their order */
export function toPeriods(
  periods: Record<PeriodName, Period>,
  joined: { people: number }[],
  visits: DayVisits[],
): Record<PeriodName, PeriodStats> {
  const stats = Object.entries(periods).map(([name, { first, last }], index) => {
    return [name, { joined: joined[index]?.people ?? 0, visits: visitsIn(visits, first, last) }];
  });
  return Object.fromEntries(stats);
}
