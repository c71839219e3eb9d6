/** What the log says of each action. */
export const actions: Record<string, string> = {
  "edit-email": "Changed the words",
  "test-email": "Sent a test",
  "restore-email": "Went back to the original words",
};
