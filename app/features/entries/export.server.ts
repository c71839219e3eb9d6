import { type ExportedEntry, type ExportFormatName, exportFormats } from "#app/features/entries/export-formats.ts";
import { selectionDetails } from "#app/features/entries/list-state.ts";
import { streamText } from "#app/owner/ui/stream-text.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { suppressedHashes } from "#app/server/db/suppressions.server.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { logInfo } from "#app/server/log.ts";
import type { Entry } from "#app/waitlist/entries/entries.server.ts";
import type { EntrySelection } from "#app/waitlist/filter/entry-conditions.server.ts";
import { type SelectedEntry, selectedEntries } from "#app/waitlist/filter/list-entries.server.ts";

export interface ExportDeps {
  db: Db;
  /** Empty: only stored hashes are known. */
  hashKey: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

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

/**
 * The selected entries, page by page, and which of their addresses get no email: those that bounced, reported spam or
 * asked for none. They are left out if the entries are people who may get email.
 */
export async function* exportedEntries(
  { db, hashKey, now }: ExportDeps,
  selection: EntrySelection,
): AsyncGenerator<ExportedEntry[]> {
  const suppressed = await suppressedHashes(db, now());
  // An entry without its hash is older than that column.
  const hashOf = async ({ address_hash, email }: Entry) =>
    address_hash ?? (hashKey === "" ? "" : await keyedHash("address:v1", email, hashKey));
  const listed = async (entry: SelectedEntry) => ({
    ...entry,
    isSuppressed: suppressed.size > 0 && suppressed.has(await hashOf(entry)),
  });
  for await (const page of selectedEntries(db, selection)) {
    const entries = await Promise.all(page.map(listed));
    yield selection.mayGetEmail ? entries.filter(({ isSuppressed }) => !isSuppressed) : entries;
  }
}

/** What the owners' log says about an export. */
export function exportDetails(selection: EntrySelection, format: string): Record<string, string> {
  return { format, people: selection.mayGetEmail ? "may get email" : "all", ...selectionDetails(selection) };
}
