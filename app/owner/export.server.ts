import { CSV_BOM, csvLine } from "#app/owner/csv.ts";
import { allEntries } from "#app/owner/entries.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import { type EntryColumn, entryColumns } from "#app/waitlist/entry-fields.server.ts";

/** The CSV header line, after a byte order mark. */
export function csvHeader(): string {
  return CSV_BOM + csvLine(entryColumns.map(({ name }) => name));
}

export function csvRow(entry: Entry): string {
  return csvLine(Object.values(exportedFields(entry)));
}

/** The exported values of an entry by column name; times are ISO 8601 in UTC. */
export function exportedFields(entry: Entry): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    entryColumns.map(({ name, value, isTime }) => [name, isTime ? isoTime(value(entry)) : value(entry)]),
  );
}

/**
 * Streams the whole list as CSV, with one page in memory at a time. A failure aborts the stream, so a partial export is
 * not mistaken for a complete one.
 */
export function streamCsv(db: Db): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pages = allEntries(db);
  let count = 0;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(csvHeader()));
    },
    async pull(controller) {
      try {
        const { done, value } = await pages.next();
        if (done) {
          logInfo("list-exported", { entries: count });
          return controller.close();
        }
        count += value.length;
        controller.enqueue(encoder.encode(value.map(csvRow).join("")));
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

function isoTime(milliseconds: ReturnType<EntryColumn["value"]>): string | null {
  return typeof milliseconds === "number" ? new Date(milliseconds).toISOString() : null;
}
