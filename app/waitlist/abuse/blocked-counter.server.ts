import { sql } from "drizzle-orm";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { type BlockedReason, blockedAttempts } from "#app/server/db/schema.server.ts";
import { logError } from "#app/server/log.ts";
import { withTimeout } from "#app/server/timeout.ts";

interface CounterDeps {
  db: Db;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Lets work go on after the response has been sent. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** Counts what the gate turns away. */
export interface BlockedCounter {
  /** Never throws, and makes nobody wait. */
  count(deps: CounterDeps, reason: BlockedReason): void;
}

/** Between two writes of one isolate (milliseconds): a flood of tries must not become a flood of writes. */
export const WRITE_INTERVAL = 5_000;

/**
 * A tally that gathers in memory. The first try is written at once; those that follow within {@link WRITE_INTERVAL} are
 * written together when it is over. What cannot be written is logged and not counted again, and an isolate that is
 * ended within the pause takes its last counts along: the numbers show floods, they are no bookkeeping.
 */
export function createBlockedCounter(): BlockedCounter {
  let waiting = new Map<string, Row>();
  let lastWrite = Number.NEGATIVE_INFINITY;
  let nextWrite = Number.NEGATIVE_INFINITY;

  function gather(reason: BlockedReason, now: number) {
    const day = new Date(now).toISOString().slice(0, 10);
    const row = waiting.get(day + reason) ?? { day, reason, count: 0 };
    waiting.set(day + reason, { ...row, count: row.count + 1 });
  }

  async function write({ db, now }: CounterDeps, pause: number) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    lastWrite = now();
    nextWrite = Number.NEGATIVE_INFINITY;
    const rows = [...waiting.values()];
    waiting = new Map();
    if (rows.length === 0) return;
    try {
      await addCounts(db, rows);
    } catch (error) {
      logError("blocked-not-counted", error, { tries: rows.reduce((sum, { count }) => sum + count, 0) });
    }
  }

  return {
    count(deps, reason) {
      const now = deps.now();
      gather(reason, now);
      // The request that promised the next write may have been ended before it: one that is long overdue is taken over.
      if (now < nextWrite + WRITE_INTERVAL) return;
      nextWrite = Math.max(now, lastWrite + WRITE_INTERVAL);
      deps.waitUntil(write(deps, nextWrite - now));
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
  await withTimeout(upsert.execute(), DB_TIMEOUT, "D1");
}
