/** What the log says of each action. */
export const actions: Record<string, string> = {
  "change-setting": "Changed a setting",
};
