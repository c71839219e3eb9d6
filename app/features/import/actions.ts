/** What the log says of each action. */
export const actions: Record<string, string> = {
  import: "Imported entries",
  "continue-import": "Continued an import that had stopped",
  "stop-import": "Stopped an import",
  "discard-import": "Discarded a file to import",
  "download-problems": "Downloaded rows left out of an import",
};
