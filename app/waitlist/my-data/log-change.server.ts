import { logInfo, logSampled } from "#app/server/log.ts";

/** Logs every change, but only some of the requests that changed nothing: they can be repeated without end. */
export function logOwnChange(entryId: number, intent: string, changed: boolean): void {
  const fields = { entryId, intent, changed };
  if (changed) logInfo("entry-changed-by-subscriber", fields);
  else logSampled("info", "entry-changed-by-subscriber", fields);
}
