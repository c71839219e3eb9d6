/** What the log says of each action. */
export const actions: Record<string, string> = {
  "change-setting": "Changed a setting",
  "sign-out-owner": "Signed an owner out",
  "restore-owner": "Took a removed owner back",
};
