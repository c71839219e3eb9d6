import { sql } from "drizzle-orm";
import { type CounterDeps, createBatchedCounter } from "#app/server/batched-counter.server.ts";
import { utcDay } from "#app/server/calendar.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type BlockedReason, blockedAttempts } from "#app/server/db/schema/statistics.server.ts";

interface BlockedCounterDeps extends CounterDeps {
  db: Db;
}

/** Counts attempts that the abuse check blocks. */
export interface BlockedCounter {
  /** Never throws or blocks the response. */
  count(deps: BlockedCounterDeps, reason: BlockedReason): void;
}

/** Minimum time between two writes of one isolate (milliseconds). */
export const WRITE_INTERVAL = 5_000;

/** Counts attempts by reason and UTC day. See {@link createBatchedCounter}. */
export function createBlockedCounter(): BlockedCounter {
  const counter = createBatchedCounter<BlockedCounterDeps>({
    interval: WRITE_INTERVAL,
    // There are six reasons.
    maxKeys: 100,
    write: ({ db }, counts) => addCounts(db, Array.from(counts, toRow)),
    failure: "blocked-not-counted",
  });
  return {
    count(deps, reason) {
      const day = utcDay(deps.now);
      counter.count(deps, [`${day} ${reason}`]);
    },
  };
}

type Row = typeof blockedAttempts.$inferInsert;

function toRow([key, count]: [string, number]): Row {
  const [day = "", reason] = key.split(" ");
  return { day, reason: reason as BlockedReason, count };
}

async function addCounts(db: Db, rows: Row[]): Promise<void> {
  const { day, reason, count } = blockedAttempts;
  const upsert = db
    .insert(blockedAttempts)
    .values(rows)
    .onConflictDoUpdate({ target: [day, reason], set: { count: sql`${count} + excluded.count` } });
  await upsert;
}
