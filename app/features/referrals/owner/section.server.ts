import { entryFriends } from "#app/features/referrals/owner/entry-friends.server.tsx";
import styles from "#app/features/referrals/owner/referrals.css?url";
import {
  changeRewards,
  decideReferral,
  decideReferrals,
  downloadMilestones,
  downloadReferrers,
  showReferral,
  showReferrals,
} from "#app/features/referrals/owner/referrals-page.server.tsx";
import { friendsInNeed } from "#app/features/referrals/owner/waiting.server.ts";
import type { OwnerSection } from "#app/owner/ui/owner-context.ts";
import { MAX_NOTE_BODY_BYTES } from "#app/waitlist/entries/note.ts";

export const referralsSection: OwnerSection = {
  section: "referrals",
  styles,
  link: { href: "/owner/referrals", name: "Referrals" },
  routes: [
    { method: "get", path: "/referrals", handler: (c) => showReferrals(c) },
    { method: "post", path: "/referrals", handler: decideReferrals, maxBody: MAX_NOTE_BODY_BYTES },
    { method: "post", path: "/referrals/rewards", handler: changeRewards },
    { method: "post", path: "/referrals/referrers.csv", handler: downloadReferrers },
    { method: "post", path: "/referrals/milestones.csv", handler: downloadMilestones },
    { method: "get", path: "/referrals/:id", handler: (c) => showReferral(c) },
    { method: "post", path: "/referrals/:id", handler: decideReferral, maxBody: MAX_NOTE_BODY_BYTES },
  ],
  entryPart: entryFriends,
  attention: friendsInNeed,
  outcomes: {
    "accept-referral": "The friend counts now.",
    "refuse-referral": "The friend does not count. Milestones that were reached stay reached.",
    "accept-referrals": "The friends count now.",
    "refuse-referrals": "The friends do not count.",
    "decided-some-press": "The first of them are decided. Others still wait: decide again.",
    "decided-some-day":
      "The database allows no more decisions today. You can decide about the others after midnight (UTC), or one by one.",
    "give-reward": "The reward is marked as given.",
    "give-rewards": "The rewards are marked as given.",
    "none-ticked": "Nothing was ticked. Tick the rewards that you have given.",
    "take-back-reward": "The reward is not marked as given any more.",
  },
};
