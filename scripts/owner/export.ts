import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { InvalidArgumentError } from "commander";
import {
  type ExportedEntry,
  exportDetails,
  exportedEntries,
  exportedFields,
  exportFormats,
  isExportFormat,
  isServiceFormat,
} from "#app/features/entries/export.server.ts";
import { COMMAND_LINE, recordAction } from "#app/owner/log.server.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { requireHashKey, type Waitlist } from "#scripts/owner/command.ts";
import { applyStoredSettings } from "#scripts/owner/stored-settings.ts";

export const formats = [...Object.keys(exportFormats()), "json"];

interface ExportOptions {
  format: string;
  output?: string;
  everyone?: true;
  yes?: true;
}

/** Exports people who may get email, or everyone, to a file or stdout. */
export async function exportPeople(waitlist: Waitlist, options: ExportOptions): Promise<void> {
  const { format, output, everyone, yes } = options;
  const { db, out, err } = waitlist;
  await applyStoredSettings(waitlist);
  if (everyone && isExportFormat(format) && isServiceFormat(format)) {
    throw new InvalidArgumentError(`--format ${format} is for people who may get email: leave out --everyone.`);
  }
  const hashKey = everyone ? "" : requireHashKey(waitlist, ", or export all with --everyone");
  if (output !== undefined && existsSync(output) && !yes) {
    throw new StepError(`${output} already exists. Nothing was changed.`, "To overwrite it, run it again with --yes.");
  }
  const deps = { db, hashKey, now: Date.now };
  const selection = { mayGetEmail: everyone ? undefined : true };
  await recordAction(deps, { by: COMMAND_LINE, action: "export", details: exportDetails(selection, format) });
  const text = exportText(
    exportedEntries(deps, selection),
    isExportFormat(format) ? exportFormats()[format] : json,
    err,
  );
  if (output === undefined) await pipeline(text, out, { end: false });
  else await writeWhole(output, text);
}

/** Writes a file that only its owner can read. It appears when it is complete: a part is not the whole waitlist. */
async function writeWhole(path: string, text: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`;
  try {
    await pipeline(text, createWriteStream(part, { mode: 0o600 }));
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

const json = {
  header: () => "[",
  row: (entry: ExportedEntry) => `\n${JSON.stringify(exportedFields(entry))}`,
  separator: ",",
  end: "\n]\n",
};

type Format = Pick<typeof json, "header" | "row"> & Partial<typeof json>;

/** Yields the file's contents page by page, at the pace of the writer. */
async function* exportText(
  pages: AsyncIterable<ExportedEntry[]>,
  { header, row, separator = "", end = "" }: Format,
  err: NodeJS.WritableStream,
): AsyncGenerator<string> {
  let count = 0;
  yield header();
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${count === 0 ? "" : separator}${page.map(row).join(separator)}`;
    count += page.length;
  }
  yield end;
  err.write(`${count.toLocaleString("en-GB")} entries\n`);
}
