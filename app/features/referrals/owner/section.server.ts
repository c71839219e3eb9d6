import { entryFriends } from "#app/features/referrals/owner/entry-friends.server.tsx";
import styles from "#app/features/referrals/owner/referrals.css?url";
import {
  changeReward,
  decideReferral,
  downloadMilestones,
  downloadReferrers,
  showReferral,
  showReferrals,
} from "#app/features/referrals/owner/referrals-page.server.tsx";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";
import { MAX_NOTE_BODY_BYTES } from "#app/waitlist/entries/note.ts";

export const referralsSection: OwnerSection = {
  section: "referrals",
  styles,
  link: { href: "/owner/referrals", name: "Referrals" },
  routes: [
    { method: "get", path: "/referrals", handler: showReferrals },
    { method: "post", path: "/referrals/referrers.csv", handler: downloadReferrers },
    { method: "post", path: "/referrals/milestones.csv", handler: downloadMilestones },
    { method: "get", path: "/referrals/:id", handler: (c) => showReferral(c) },
    { method: "post", path: "/referrals/:id", handler: decideReferral, maxBody: MAX_NOTE_BODY_BYTES },
    { method: "post", path: "/referrals/:id/reward", handler: changeReward },
  ],
  entryPart: entryFriends,
  outcomes: {
    "accept-referral": "The friend counts now.",
    "refuse-referral": "The friend does not count. Milestones that were reached stay reached.",
    "give-reward": "The reward is marked as given.",
    "take-back-reward": "The reward is not marked as given any more.",
  },
};
