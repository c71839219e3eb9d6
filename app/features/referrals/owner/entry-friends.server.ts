import { type Friends, readFriends } from "#app/features/referrals/friends.server.ts";
import { listReached } from "#app/features/referrals/milestones.server.ts";
import { findReferral, type Referral } from "#app/features/referrals/owner/decisions.server.ts";
import type { Db } from "#app/server/db/client.server.ts";

/** What the page of an entry says about its friends, and about who brought it. */
export interface EntryFriends extends Friends {
  reached: Awaited<ReturnType<typeof listReached>>;
  /** Null if no one's link did, or if its person has erased their entry. */
  broughtBy: Referral | null;
}

export async function readEntryFriends(db: Db, entryId: number): Promise<EntryFriends> {
  const [friends, reached, broughtBy] = await Promise.all([
    readFriends(db, entryId),
    listReached(db, entryId),
    findReferral(db, entryId),
  ]);
  return { ...friends, reached, broughtBy };
}
