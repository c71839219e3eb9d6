import type { OwnFriends } from "#app/features/referrals/own-friends.tsx";
import type { Db } from "#app/server/db/client.server.ts";
import { milestones } from "#app/site.ts";
import { encodeCode } from "#app/waitlist/entries/entry-code.server.ts";
import { listReachedMilestones, readFriends } from "#app/waitlist/my-data/friends.server.ts";

interface OwnFriendsDeps {
  db: Db;
  hashKey: string;
  mustConfirm: boolean;
}

export async function readOwnFriends(
  { db, hashKey, mustConfirm }: OwnFriendsDeps,
  entryId: number,
): Promise<OwnFriends> {
  const { joined, counted } = await readFriends(db, entryId);
  const reachedNumbers = new Set((await listReachedMilestones(db, entryId)).map(({ friends }) => friends));
  const isReached = ({ friends }: { friends: number }) => reachedNumbers.has(friends);
  return {
    joined,
    counted,
    via: await encodeCode(entryId, hashKey),
    // Without confirmation there are none to reach, but those that were reached stay.
    next: (mustConfirm && milestones.find((milestone) => !isReached(milestone))) || null,
    reached: milestones.filter(isReached),
    mustConfirm,
  };
}
