/** What the log says of each action. */
export const actions: Record<string, string> = {
  "make-fair-device": "Made the code of a tablet",
  "revoke-fair-device": "Revoked a tablet",
  "accept-fair-sign-ups": "Accepted sign-ups from a tablet",
  "discard-fair-sign-ups": "Discarded sign-ups from a tablet",
  "close-fair-device": "Closed a tablet",
};
