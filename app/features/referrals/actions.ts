/** What the log says of each action. */
export const actions: Record<string, string> = {
  "accept-referral": "Accepted a referral",
  "refuse-referral": "Refused a referral",
  "accept-referrals": "Accepted referrals",
  "refuse-referrals": "Refused referrals",
  "give-reward": "Marked a reward as given",
  "give-rewards": "Marked rewards as given",
  "take-back-reward": "Took back that a reward was given",
  "export-referrals": "Downloaded referrals",
};
