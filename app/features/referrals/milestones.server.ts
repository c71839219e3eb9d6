import { asc, eq } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { reachedMilestones } from "#app/server/db/schema/referrals.server.ts";

/** The milestones that an entry has reached, fewest friends first. Times are milliseconds since 1970. */
export async function listReached(db: Db, entryId: number) {
  const { friends, reached_at, rewarded_at, entry_id } = reachedMilestones;
  return db
    .select({ friends, reached_at, rewarded_at })
    .from(reachedMilestones)
    .where(eq(entry_id, entryId))
    .orderBy(asc(friends));
}
