import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { CSV_PAGE, pagedCsv } from "#app/owner/ui/csv.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { reachedMilestones } from "#app/server/db/schema/referrals.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import type { Milestone } from "#app/site.ts";

/** A milestone that someone has reached. */
export type ReachedMilestone = Awaited<ReturnType<typeof listRewards>>["reached"][number];

const PAGE_SIZE = 25;

/** A page of the milestones that people have reached, from 1 on: those without their reward first, then the newest. */
export async function listRewards(db: Db, page: number) {
  const { rewarded_at, reached_at, entry_id, friends } = reachedMilestones;
  const order = [desc(isNull(rewarded_at)), desc(reached_at), asc(entry_id), desc(friends)];
  const chosen = db
    .select({ rowid: sql`rowid` })
    .from(reachedMilestones)
    .orderBy(...order)
    .limit(PAGE_SIZE + 1)
    .offset(PAGE_SIZE * (page - 1));
  const found = await withAddress(db)
    .where(inArray(sql`reached_milestones.rowid`, chosen))
    .orderBy(...order);
  return { reached: found.slice(0, PAGE_SIZE), hasNext: found.length > PAGE_SIZE };
}

function withAddress(db: Db) {
  const { entry_id, friends, reached_at, rewarded_at } = reachedMilestones;
  return db
    .select({
      entryId: entry_id,
      email: waitlistEmails.email,
      friends,
      reachedAt: reached_at,
      rewardedAt: rewarded_at,
    })
    .from(reachedMilestones)
    .innerJoin(waitlistEmails, eq(waitlistEmails.id, entry_id))
    .$dynamic();
}

/** Names a milestone that someone has reached. */
export interface RewardKey {
  entryId: number;
  /** Its number of friends. */
  friends: number;
}

/** @param rewardedAt null: not given. @returns those that changed */
export async function markRewards(
  db: Db,
  rewards: readonly RewardKey[],
  rewardedAt: EpochMillis | null,
): Promise<RewardKey[]> {
  const { entry_id, friends, rewarded_at } = reachedMilestones;
  const isOther = rewardedAt === null ? isNotNull(rewarded_at) : isNull(rewarded_at);
  const isChosen = sql`(entry_id, friends) IN
    (SELECT value ->> 'entryId', value ->> 'friends' FROM json_each(${JSON.stringify(rewards)}))`;
  return db
    .update(reachedMilestones)
    .set({ rewarded_at: rewardedAt })
    .where(and(isChosen, isOther))
    .returning({ entryId: entry_id, friends });
}

/** What the site gives for a milestone; null if it is none of its milestones any more. */
export function rewardOf(friends: number, milestones: readonly Milestone[]): string | null {
  return milestones.find((milestone) => milestone.friends === friends)?.reward ?? null;
}

export function milestoneLines(db: Db, milestones: readonly Milestone[]): AsyncGenerator<string> {
  const { entry_id, friends } = reachedMilestones;
  const readAfter = (last?: ReachedMilestone) =>
    withAddress(db)
      .where(last && sql`(${entry_id}, ${friends}) > (${last.entryId}, ${last.friends})`)
      .orderBy(asc(entry_id), asc(friends))
      .limit(CSV_PAGE);
  return pagedCsv(["email", "friends", "reward", "reached", "reward_given"], readAfter, (reached) => {
    const times = [reached.reachedAt, reached.rewardedAt].map((time) => time && new Date(time).toISOString());
    return [reached.email, reached.friends, rewardOf(reached.friends, milestones), ...times];
  });
}
