import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { type BlockedReason, blockedAttempts } from "#app/server/db/schema.server.ts";
import { logError } from "#app/server/log.ts";

interface CounterDeps {
  db: Db;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Lets work go on after the response has been sent. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** Counts attempts that the abuse check blocks. */
export interface BlockedCounter {
  /** Never throws or blocks the response. */
  count(deps: CounterDeps, reason: BlockedReason): void;
}

/** Minimum time between two writes of one isolate (milliseconds), so that a flood of attempts is no flood of writes. */
export const WRITE_INTERVAL = 5_000;

/**
 * Batches counts in memory. The first attempt is written at once; those that follow within {@link WRITE_INTERVAL} are
 * written together at its end. Counts are approximate: a failed write is logged and dropped, and an isolate evicted
 * within the interval loses its last counts.
 */
export function createBlockedCounter(): BlockedCounter {
  let pending = new Map<string, Row>();
  let lastWrite = Number.NEGATIVE_INFINITY;
  let scheduledWrite = Number.NEGATIVE_INFINITY;

  function add(reason: BlockedReason, now: number) {
    const day = new Date(now).toISOString().slice(0, 10);
    const row = pending.get(day + reason) ?? { day, reason, count: 0 };
    pending.set(day + reason, { ...row, count: row.count + 1 });
  }

  async function write({ db, now }: CounterDeps, delay: number) {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    lastWrite = now();
    scheduledWrite = Number.NEGATIVE_INFINITY;
    const rows = [...pending.values()];
    pending = new Map();
    if (rows.length === 0) return;
    try {
      await addCounts(db, rows);
    } catch (error) {
      logError("blocked-not-counted", error, { attempts: rows.reduce((sum, { count }) => sum + count, 0) });
    }
  }

  return {
    count(deps, reason) {
      const now = deps.now();
      add(reason, now);
      // The platform may end a request before its scheduled write: reschedule one that is long overdue.
      if (now < scheduledWrite + WRITE_INTERVAL) return;
      scheduledWrite = Math.max(now, lastWrite + WRITE_INTERVAL);
      deps.waitUntil(write(deps, scheduledWrite - now));
    },
  };
}

type Row = typeof blockedAttempts.$inferInsert;

async function addCounts(db: Db, rows: Row[]): Promise<void> {
  const { day, reason, count } = blockedAttempts;
  const upsert = db
    .insert(blockedAttempts)
    .values(rows)
    .onConflictDoUpdate({ target: [day, reason], set: { count: sql`${count} + excluded.count` } });
  await upsert;
}
