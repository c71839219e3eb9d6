import type { AppContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { logError } from "#app/server/log.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

type CounterDeps = Pick<AppContext, "db" | "waitUntil"> & { now: EpochMillis };

/** What is counted by, such as a day and a reason. */
type Key = readonly string[];

interface CounterOptions<K extends Key> {
  /** Minimum time between two writes of one isolate, so that a flood of requests is no flood of writes. */
  interval: Millis;
  /** How many different keys are kept in memory, and what replaces a further one. */
  limit?: { keys: number; replace: (key: K) => K };
  write: (db: Db, counts: [...K, count: number][]) => Promise<void>;
  /** The log event of a failed write. */
  failure: string;
}

/**
 * Batches counts in memory. The first is written at once; those that follow within the interval are written together at
 * its end. Counts are approximate: a failed write is logged and dropped, and an isolate evicted within the interval loses
 * its last counts.
 */
export function createBatchedCounter<K extends Key>({ interval, limit, write, failure }: CounterOptions<K>) {
  let pending = new Map<string, { key: K; count: number }>();
  let lastWrite = Number.NEGATIVE_INFINITY;
  let scheduledWrite = Number.NEGATIVE_INFINITY;

  function add(given: K) {
    const isFull = limit !== undefined && pending.size >= limit.keys;
    const key = isFull && !pending.has(given.join()) ? limit.replace(given) : given;
    const { count } = pending.get(key.join()) ?? { count: 0 };
    pending.set(key.join(), { key, count: count + 1 });
  }

  async function writePending({ db, now }: CounterDeps, time: EpochMillis) {
    if (time > now) await new Promise((resolve) => setTimeout(resolve, time - now));
    lastWrite = time;
    scheduledWrite = Number.NEGATIVE_INFINITY;
    const counted = [...pending.values()];
    pending = new Map();
    if (counted.length === 0) return;
    const rows = counted.map(({ key, count }): [...K, number] => [...key, count]);
    try {
      await write(db, rows);
    } catch (error) {
      logError(failure, error, { counts: counted.reduce((sum, { count }) => sum + count, 0) });
    }
  }

  return {
    /** Adds one to each key. Never throws or blocks the response. */
    count(deps: CounterDeps, keys: readonly K[]) {
      for (const key of keys) add(key);
      // The platform may end a request before its scheduled write: reschedule one that is long overdue.
      if (deps.now < scheduledWrite + interval) return;
      scheduledWrite = Math.max(deps.now, lastWrite + interval);
      deps.waitUntil(writePending(deps, scheduledWrite));
    },
  };
}
