import { type ExportFormatName, exportFormats } from "#app/owner/entries/export-formats.ts";
import { type ExportDeps, exportedEntries } from "#app/owner/entries/exported-entries.server.ts";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import { logInfo } from "#app/server/log.ts";
import type { EntrySelection } from "#app/waitlist/entry-conditions.server.ts";
import { writeEntryFilter } from "#app/waitlist/entry-filter.ts";

/** Streams the selected entries as CSV, with one page in memory at a time. */
export function streamExport(deps: ExportDeps, selection: EntrySelection, name: ExportFormatName) {
  return streamText(exportText(deps, selection, name), "export-failed");
}

async function* exportText(
  deps: ExportDeps,
  selection: EntrySelection,
  name: ExportFormatName,
): AsyncGenerator<string> {
  const format = exportFormats[name];
  let count = 0;
  yield format.header();
  for await (const page of exportedEntries(deps, selection)) {
    count += page.length;
    yield page.map(format.row).join("");
  }
  logInfo("list-exported", { entries: count, format: name });
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
