/** What the log says of each action. */
export const actions: Record<string, string> = {
  "sign-in": "Signed in",
  "sign-out": "Signed out",
  "sign-out-everywhere": "Signed out everywhere",
  "create-sign-in-link": "Printed a sign-in link",
  "replace-link-secret": "Replaced the secret that signs links",
};
