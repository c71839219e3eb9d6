import { logError } from "#app/server/log.ts";

export interface CounterDeps {
  /** Milliseconds since 1970. */
  now: number;
  /** Lets work go on after the response has been sent. */
  waitUntil: (work: Promise<unknown>) => void;
}

export interface BatchedCounter<Deps extends CounterDeps> {
  /**
   * Adds one to each key. Never throws or blocks the response.
   *
   * @param overflow replaces a new key once {@link CounterOptions.maxKeys} are pending
   */
  count(deps: Deps, keys: readonly string[], overflow?: (key: string) => string): void;
}

interface CounterOptions<Deps> {
  /** Minimum time between two writes of one isolate (milliseconds), so that a flood of requests is no flood of writes. */
  interval: number;
  /** How many different keys are kept in memory. */
  maxKeys: number;
  write: (deps: Deps, counts: Map<string, number>) => Promise<unknown>;
  /** The log event of a failed write. */
  failure: string;
}

/**
 * Batches counts in memory. The first is written at once; those that follow within the interval are written together at
 * its end. Counts are approximate: a failed write is logged and dropped, and an isolate evicted within the interval loses
 * its last counts.
 */
export function createBatchedCounter<Deps extends CounterDeps>(options: CounterOptions<Deps>): BatchedCounter<Deps> {
  const { interval, maxKeys, failure } = options;
  let pending = new Map<string, number>();
  let lastWrite = Number.NEGATIVE_INFINITY;
  let scheduledWrite = Number.NEGATIVE_INFINITY;

  async function write(deps: Deps, time: number) {
    if (time > deps.now) await new Promise((resolve) => setTimeout(resolve, time - deps.now));
    lastWrite = time;
    scheduledWrite = Number.NEGATIVE_INFINITY;
    const counts = pending;
    pending = new Map();
    if (counts.size === 0) return;
    try {
      await options.write(deps, counts);
    } catch (error) {
      logError(failure, error, { counts: counts.values().reduce((sum, count) => sum + count, 0) });
    }
  }

  return {
    count(deps, keys, overflow = (key) => key) {
      for (const key of keys) {
        const kept = pending.size < maxKeys || pending.has(key) ? key : overflow(key);
        pending.set(kept, (pending.get(kept) ?? 0) + 1);
      }
      // The platform may end a request before its scheduled write: reschedule one that is long overdue.
      if (deps.now < scheduledWrite + interval) return;
      scheduledWrite = Math.max(deps.now, lastWrite + interval);
      deps.waitUntil(write(deps, scheduledWrite));
    },
  };
}
