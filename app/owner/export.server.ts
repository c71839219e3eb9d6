import { CSV_START, csvLine } from "#app/owner/csv.ts";
import { allEntries } from "#app/owner/entries.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { logError, logInfo } from "#app/server/log.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import { type EntryColumn, entryColumns } from "#app/waitlist/entry-fields.server.ts";

/** The names of the columns, as a line of CSV. */
export function csvHead(): string {
  return CSV_START + csvLine(entryColumns.map(({ name }) => name));
}

export function csvRow(entry: Entry): string {
  return csvLine(Object.values(exportedFields(entry)));
}

/** The exported values of an entry, by column; times are ISO 8601, UTC. */
export function exportedFields(entry: Entry): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    entryColumns.map(({ name, value, isTime }) => [name, isTime ? isoTime(value(entry)) : value(entry)]),
  );
}

/**
 * The whole list as CSV, made while it is read: at no time more than a page of it is held. An export that fails breaks
 * off, so that nobody takes a part for the whole.
 */
export function streamCsv(db: Db): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pages = allEntries(db);
  let count = 0;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(csvHead()));
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
