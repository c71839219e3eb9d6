import { lt } from "drizzle-orm";
import { addVisits, type VisitKey } from "#app/features/visits/add-visits.server.ts";
import { createBatchedCounter } from "#app/server/batched-counter.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { pageVisits } from "#app/server/db/schema/statistics.server.ts";
import { OTHER } from "#app/waitlist/entries/campaign-name.ts";

/**
 * Minimum time between two writes of one isolate (milliseconds). Visits are stored within 20 seconds, and a day's writes
 * of a busy isolate are at most 5,760 rows.
 */
export const WRITE_INTERVAL = 15_000;

/** Names in memory. More than a day stores, so that known campaigns are counted while random names flood the site. */
const MAX_PENDING = 5_000;

/** @param max how many are counted in a day */
export function createVisitCounter(max: number) {
  return createBatchedCounter<VisitKey>({
    interval: WRITE_INTERVAL,
    limit: { keys: MAX_PENDING, replace: ([day, kind]) => [day, kind, OTHER] },
    write: (db, visits) => addVisits(db, visits, max),
    failure: "visits-not-counted",
  });
}

export async function deleteVisitsBefore(db: Db, day: string): Promise<void> {
  await db.delete(pageVisits).where(lt(pageVisits.day, day));
}
