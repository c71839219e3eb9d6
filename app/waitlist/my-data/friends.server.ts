import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import {
  type ReferralDecision,
  reachedMilestones,
  referrals,
  referrers,
} from "#app/server/db/schema/referrals.server.ts";

export const countedDecisions: ReferralDecision[] = ["counted", "settled", "accepted"];

export interface Friends {
  joined: number;
  counted: number;
  /** Those of them who count and were erased since. */
  erased: number;
}

/** The friends of an entry. Those who were erased since are among them if they had counted. */
export async function readFriends(db: Db, entryId: number): Promise<Friends> {
  const { referrer_id, ruling } = referrals;
  const [[now], [stored]] = await db.batch([
    db
      .select({
        joined: sql<number>`count(*)`,
        counted: sql<number>`count(*) FILTER (WHERE ${inArray(ruling, countedDecisions)})`,
      })
      .from(referrals)
      .where(eq(referrer_id, entryId)),
    db.select({ counted: referrers.counted }).from(referrers).where(eq(referrers.entry_id, entryId)),
  ]);
  const counted = stored?.counted ?? 0;
  const erased = counted - (now?.counted ?? 0);
  return { joined: (now?.joined ?? 0) + erased, counted, erased };
}

/** How many friends count, by the entry that brought them. Entries without any are left out. @public for the API, which can be removed */
export async function countFriends(db: Db, entryIds: readonly number[]): Promise<Map<number, number>> {
  if (entryIds.length === 0) return new Map();
  const { entry_id, counted } = referrers;
  // As text: D1 allows 100 parameters, and counts each row of `json_each` as one more row read.
  const isAsked = sql`${entry_id} IN (${sql.raw(entryIds.map(Number).join(", "))})`;
  const found = await db.select({ entry_id, counted }).from(referrers).where(isAsked);
  return new Map(found.map((row) => [row.entry_id, row.counted]));
}

/**
 * What is stored about an entry that joined through a personal link, but for whose; null if it did not. The same for a link of
 * no one, and after its person has erased their entry: neither must show.
 */
export async function findOwnReferral(
  db: Db,
  entryId: number,
): Promise<{ counts: boolean; note: string | null } | null> {
  const { entry_id, ruling, note } = referrals;
  const [found] = await db.select({ ruling, note }).from(referrals).where(eq(entry_id, entryId));
  if (found === undefined) return null;
  return { counts: found.ruling !== null && countedDecisions.includes(found.ruling), note: found.note };
}

/** The milestones that an entry has reached, fewest friends first. */
export async function listReachedMilestones(db: Db, entryId: number) {
  const { friends, reached_at, rewarded_at, entry_id } = reachedMilestones;
  return db
    .select({ friends, reached_at, rewarded_at })
    .from(reachedMilestones)
    .where(eq(entry_id, entryId))
    .orderBy(asc(friends));
}
