/** What the log says of each action. */
export const actions: Record<string, string> = {
  "allow-origin": "Allowed forms on another site",
  "remove-origin": "Stopped allowing forms on another site",
};
