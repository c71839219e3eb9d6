/** What the log says of each action. */
export const actions: Record<string, string> = {
  "retry-emails": "Tried failed emails again",
  "release-emails": "Released emails to unverified sign-ups",
  "dismiss-step": "Dismissed a first step",
  "restore-step": "Brought a first step back",
  "try-emails": "Ended a pause of all email",
};
