import { findReferral, type Referral } from "#app/owner/referrals/decisions.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { type Friends, readFriends } from "#app/waitlist/referrals/friends.server.ts";
import { listReached } from "#app/waitlist/referrals/milestones.server.ts";

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
