import type { OwnFriends } from "#app/features/referrals/own-friends.tsx";
import { everyMilestone, siteSettings } from "#app/server/config/settings.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { listReachedMilestones, readFriends } from "#app/waitlist/my-data/friends.server.ts";

export async function readOwnFriends(
  { db, mustConfirm }: Pick<AppContext, "db" | "mustConfirm">,
  entryId: number,
): Promise<OwnFriends> {
  const { joined, counted } = await readFriends(db, entryId);
  const reachedNumbers = new Set((await listReachedMilestones(db, entryId)).map(({ friends }) => friends));
  const { milestones } = siteSettings();
  const isReached = ({ friends }: { friends: number }) => reachedNumbers.has(friends);
  return {
    joined,
    counted,
    // Without confirmation there are none to reach, but those that were reached stay.
    next: (mustConfirm && milestones.find((milestone) => !isReached(milestone))) || null,
    reached: everyMilestone().filter(isReached),
    mustConfirm,
  };
}
