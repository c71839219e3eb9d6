/** What the log says of each action. */
export const actions: Record<string, string> = {
  "make-link": "Made a link",
  "remove-link": "Removed a link from the list",
};
