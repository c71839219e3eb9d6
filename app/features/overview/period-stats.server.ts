import { gte, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { pageVisits } from "#app/server/db/schema/statistics.server.ts";
import { type LocalDay, lastLocalDays, localDays, shiftDate } from "#app/server/time/time-zone-days.ts";
import { DAY, type EpochMillis } from "#app/server/time/units.ts";

/** What stats are of: a number of days that ends today, or the days between two dates (`YYYY-MM-DD`), both included. */
export type StatsPeriod = { days: number } | { from: string; until: string };

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

/** The periods that the overview compares, and the days of the chosen one, oldest first. */
export function comparedPeriods(
  now: EpochMillis,
  chosen: StatsPeriod,
  timeZone: string,
): Record<PeriodName, Period> & { calendar: LocalDay[] } {
  const days = "days" in chosen ? chosen.days : countDays(chosen);
  const before =
    "days" in chosen
      ? lastLocalDays(now, 2 * days, timeZone)
      : localDays(shiftDate(chosen.from, -days), 2 * days, timeZone);
  const calendar = before.splice(days);
  const recent = lastLocalDays(now, 21, timeZone).toReversed();
  // Monday is 0.
  const weekday = (new Date(`${recent[0]?.date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const ago = (from: number, length: number) => toPeriod(recent.slice(from, from + length).toReversed());
  return {
    today: ago(0, 1),
    yesterday: ago(1, 1),
    lastWeek: ago(weekday + 1, 7),
    weekBefore: ago(weekday + 8, 7),
    chosen: toPeriod(calendar),
    before: toPeriod(before),
    calendar,
  };
}

/** Both days included. */
export function countDays({ from, until }: { from: string; until: string }): number {
  return (Date.parse(until) - Date.parse(from)) / DAY + 1;
}

function toPeriod(days: LocalDay[]): Period {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) throw new Error("A period has no days");
  return { from: first.from, until: last.until, first: first.date, last: last.date };
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
