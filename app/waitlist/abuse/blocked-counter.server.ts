import { sql } from "drizzle-orm";
import { createBatchedCounter } from "#app/server/batched-counter.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type BlockedReason, blockedAttempts } from "#app/server/db/schema/statistics.server.ts";

/** Minimum time between two writes of one isolate (milliseconds). */
export const WRITE_INTERVAL = 5_000;

/** What a blocked attempt is counted by. `day` is a UTC day, `YYYY-MM-DD`. */
type BlockedKey = readonly [day: string, reason: BlockedReason];

/**
 * Counts attempts that the abuse check blocks. See {@link createBatchedCounter}.
 *
 * @param maxWrites rows that a UTC day may take
 */
export function createBlockedCounter(maxWrites: number) {
  return createBatchedCounter<BlockedKey>({
    interval: WRITE_INTERVAL,
    write: (db, counts, today) => addCounts(db, counts, { today, maxWrites }),
    failure: "blocked-not-counted",
  });
}

async function addCounts(
  db: Db,
  counts: [...BlockedKey, count: number][],
  { today, maxWrites }: { today: string; maxWrites: number },
): Promise<boolean> {
  const { day, reason, count, writes } = blockedAttempts;
  const added = await db
    .insert(blockedAttempts)
    .select(sql`SELECT value ->> 0, value ->> 1, value ->> 2, 1 FROM json_each(${JSON.stringify(counts)})
      WHERE (SELECT coalesce(sum(writes), 0) FROM blocked_attempts WHERE day = ${today}) < ${maxWrites}`)
    .onConflictDoUpdate({
      target: [day, reason],
      set: { count: sql`${count} + excluded.count`, writes: sql`${writes} + 1` },
    })
    .returning({ day });
  return added.length > 0;
}
