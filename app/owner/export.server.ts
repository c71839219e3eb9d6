import { selectedEntries } from "#app/owner/entries.server.ts";
import type { EntrySelection } from "#app/owner/entry-conditions.server.ts";
import { writeEntryFilter } from "#app/owner/entry-filter.ts";
import { type ExportFormatName, exportFormats } from "#app/owner/export-formats.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { logError, logInfo } from "#app/server/log.ts";

/**
 * Streams the selected entries as CSV, with one page in memory at a time. A failure aborts the stream, so a partial export
 * is not mistaken for a complete one.
 */
export function streamExport(db: Db, selection: EntrySelection, name: ExportFormatName): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const format = exportFormats[name];
  const pages = selectedEntries(db, selection);
  let count = 0;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(format.header()));
    },
    async pull(controller) {
      try {
        const { done, value } = await pages.next();
        if (done) {
          logInfo("list-exported", { entries: count, format: name });
          return controller.close();
        }
        count += value.length;
        controller.enqueue(encoder.encode(value.map(format.row).join("")));
      } catch (error) {
        logError("export-failed", error, { entries: count });
        controller.error(error);
      }
    },
    async cancel() {
      await pages.return(undefined);
    },
  });
}

/** What the owners' log says about an export. It leaves out what was searched for, which can be an address. */
export function exportDetails(selection: EntrySelection, format: string): Record<string, string> {
  const filter = writeEntryFilter(selection).toString();
  return {
    format,
    people: selection.mayGetEmail ? "may get email" : "all",
    ...(filter === "" ? {} : { filter }),
    ...(selection.search ? { search: "yes" } : {}),
  };
}
