import type { Db } from "#app/db/client.server.ts";
import { logError, logInfo } from "#app/log.ts";
import { CSV_START, csvLine } from "#app/owner/csv.ts";
import { allEntries } from "#app/owner/entries.server.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";

/** The columns of an export, in their order; times are ISO 8601, UTC. */
const columns = {
  id: (entry) => entry.id,
  email: (entry) => entry.email,
  status: (entry) => entry.status,
  source: (entry) => entry.source,
  early_adopter: (entry) => entry.early_adopter,
  joined: (entry) => isoTime(entry.created_at),
  unsubscribed: (entry) => isoTime(entry.unsubscribed_at),
  utm_source: (entry) => entry.utm_source,
  utm_medium: (entry) => entry.utm_medium,
  utm_campaign: (entry) => entry.utm_campaign,
  utm_term: (entry) => entry.utm_term,
  utm_content: (entry) => entry.utm_content,
  referrer_host: (entry) => entry.referrer_host,
} satisfies Record<string, (entry: Entry) => string | number | boolean | null>;

/** The names of the columns, as a line of CSV. */
export function csvHead(): string {
  return CSV_START + csvLine(Object.keys(columns));
}

export function csvRow(entry: Entry): string {
  return csvLine(Object.values(exportedFields(entry)));
}

/** What is exported about an entry, by column. */
export function exportedFields(entry: Entry): Record<string, string | number | boolean | null> {
  return Object.fromEntries(Object.entries(columns).map(([name, read]) => [name, read(entry)]));
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

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
