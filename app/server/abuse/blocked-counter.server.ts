import { lt, sql } from "drizzle-orm";
import { createBatchedCounter } from "#app/server/batched-counter.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type BlockedReason, blockedAttempts } from "#app/server/db/schema/statistics.server.ts";

/** What a blocked attempt is counted by. `day` is a UTC day, `YYYY-MM-DD`. */
type BlockedKey = readonly [day: string, reason: BlockedReason];

/** @param max how many of a reason are counted in a day */
export function createBlockedCounter(max: number) {
  return createBatchedCounter<BlockedKey>({
    interval: 5_000,
    write: (db, counts) => addCounts(db, counts, max),
    failure: "blocked-not-counted",
  });
}

async function addCounts(db: Db, counts: [...BlockedKey, count: number][], max: number): Promise<void> {
  const { day, reason, count } = blockedAttempts;
  await db
    .insert(blockedAttempts)
    .values(counts.map(([day, reason, count]) => ({ day, reason, count })))
    .onConflictDoUpdate({
      target: [day, reason],
      set: { count: sql`${count} + excluded.count` },
      setWhere: lt(count, max),
    });
}
