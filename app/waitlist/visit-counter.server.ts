import { type BatchedCounter, type CounterDeps, createBatchedCounter } from "#app/server/batched-counter.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type AddedVisits, addVisits, OTHER } from "#app/server/db/page-visits.server.ts";
import type { VisitKind } from "#app/server/db/schema/statistics.server.ts";

interface VisitCounterDeps extends CounterDeps {
  db: Db;
}

export interface VisitCounter {
  /**
   * Counts a visit by each of its names. Never throws or blocks the response.
   *
   * @param keys as {@link visitKey} writes them
   */
  count(deps: VisitCounterDeps, keys: readonly string[]): void;
}

/** @param day `YYYY-MM-DD` */
export function visitKey(day: string, kind: VisitKind, name: string): string {
  return `${day} ${kind} ${name}`;
}

/**
 * Minimum time between two writes of one isolate (milliseconds). Visits are stored within 20 seconds, and a day's writes
 * of a busy isolate are at most 5,760 rows.
 */
export const WRITE_INTERVAL = 15_000;

/** Names in memory. More than a day stores, so that known campaigns are counted while random names flood the site. */
const MAX_PENDING = 5_000;

/** Counts visits by day and name. See {@link createBatchedCounter}. */
export function createVisitCounter(): VisitCounter {
  const counter: BatchedCounter<VisitCounterDeps> = createBatchedCounter({
    interval: WRITE_INTERVAL,
    maxKeys: MAX_PENDING,
    write: ({ db }, counts) =>
      Promise.all(
        byDay(counts)
          .entries()
          .map(([day, added]) => addVisits(db, day, added)),
      ),
    failure: "visits-not-counted",
  });
  return {
    count: (deps, keys) => counter.count(deps, keys, toOther),
  };
}

function toOther(key: string): string {
  const [day = "", kind] = key.split(" ", 2);
  return visitKey(day, kind as VisitKind, OTHER);
}

function byDay(counts: Map<string, number>): Map<string, AddedVisits> {
  const days = new Map<string, AddedVisits>();
  for (const [key, visits] of counts) {
    const [, day = "", kind, name = ""] = /^(\S+) (\S+) (.+)$/su.exec(key) ?? [];
    const added = days.get(day) ?? [];
    added.push([kind as VisitKind, name, visits]);
    days.set(day, added);
  }
  return days;
}
