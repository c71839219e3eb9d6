import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { CSV_BOM, csvLine, escapeFormulas } from "#app/owner/ui/csv.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { reachedMilestones } from "#app/server/db/schema/referrals.server.ts";
import type { Milestone } from "#app/site.ts";

/** A milestone that someone has reached. Times are milliseconds since 1970. */
export type Reached = Awaited<ReturnType<typeof listReachedMilestones>>["reached"][number];

const PAGE_SIZE = 25;

/** A page of the milestones that people have reached, from 1 on: those without their reward first, then the newest. */
export async function listReachedMilestones(db: Db, page: number) {
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

/** @param rewardedAt milliseconds since 1970; null: not given. @returns whether anything changed */
export async function markReward(
  db: Db,
  { entryId, friends, rewardedAt }: { entryId: number; friends: number; rewardedAt: number | null },
): Promise<boolean> {
  const { entry_id, rewarded_at } = reachedMilestones;
  const isOther = rewardedAt === null ? isNotNull(rewarded_at) : isNull(rewarded_at);
  const marked = await db
    .update(reachedMilestones)
    .set({ rewarded_at: rewardedAt })
    .where(and(eq(entry_id, entryId), eq(reachedMilestones.friends, friends), isOther))
    .returning({ entry_id });
  return marked.length > 0;
}

/** What the site gives for a milestone; null if it is none of its milestones any more. */
export function rewardOf(friends: number, milestones: readonly Milestone[]): string | null {
  return milestones.find((milestone) => milestone.friends === friends)?.reward ?? null;
}

/** Rows of one query of a download: a few hundred kilobytes. */
const DOWNLOAD_PAGE = 2_000;

export async function* milestoneLines(db: Db, milestones: readonly Milestone[]): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(["email", "friends", "reward", "reached", "reward_given"]);
  const { entry_id, friends } = reachedMilestones;
  for (let last: Reached | undefined; ; ) {
    const page = await withAddress(db)
      .where(last && sql`(${entry_id}, ${friends}) > (${last.entryId}, ${last.friends})`)
      .orderBy(asc(entry_id), asc(friends))
      .limit(DOWNLOAD_PAGE);
    if (page.length > 0) yield page.map((reached) => toLine(reached, milestones)).join("");
    if (page.length < DOWNLOAD_PAGE) return;
    last = page.at(-1);
  }
}

function toLine({ email, friends, reachedAt, rewardedAt }: Reached, milestones: readonly Milestone[]): string {
  const times = [reachedAt, rewardedAt].map((time) => time && new Date(time).toISOString());
  return csvLine([email, friends, rewardOf(friends, milestones), ...times].map(escapeFormulas));
}
