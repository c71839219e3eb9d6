import { logInfo, logSampled } from "#app/server/log.ts";

/**
 * Logs what a link to an entry was used for: every change, and some of the requests that changed nothing, which can be
 * repeated without end.
 */
export function logOwnChange(entryId: number, intent: string, changed: boolean): void {
  const fields = { entryId, intent, changed };
  if (changed) logInfo("entry-changed-by-subscriber", fields);
  else logSampled("info", "entry-changed-by-subscriber", fields);
}
