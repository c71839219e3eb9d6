import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { exportDetails } from "#app/owner/entries/export.server.ts";
import { exportedFields, exportFormats, isExportFormat, isServiceFormat } from "#app/owner/entries/export-formats.ts";
import { exportedEntries } from "#app/owner/entries/exported-entries.server.ts";
import { COMMAND_LINE, recordAction } from "#app/owner/log/log.server.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import { confirm, databaseOptions, type Environment, requireHashKey, UsageError } from "#scripts/owner/command.ts";

const options = {
  ...databaseOptions,
  format: { type: "string", default: "csv" },
  output: { type: "string" },
  everyone: { type: "boolean", default: false },
  yes: { type: "boolean" },
} as const;

export const formats = [...Object.keys(exportFormats), "json"];

/** Exports people who may get email, or everyone, to a file or stdout. */
export async function exportPeople(args: string[], { out, err, open }: Environment): Promise<number> {
  const { format, output, everyone, yes, ...location } = parseArgs({ args, options }).values;
  if (!formats.includes(format)) throw new UsageError(`--format must be one of ${formats.join(", ")}.`);
  if (everyone && isExportFormat(format) && isServiceFormat(format)) {
    throw new UsageError(`--format ${format} is for people who may get email: leave out --everyone.`);
  }
  await using waitlist = await open(location);
  const hashKey = everyone ? "" : requireHashKey(waitlist, ", or export all with --everyone");
  if (output !== undefined && existsSync(output) && !yes) await confirm(`${output} already exists. Overwrite it?`);
  const deps = { db: waitlist.db, hashKey, now: Date.now };
  const selection = { mayGetEmail: everyone ? undefined : true };
  await recordAction(deps, { by: COMMAND_LINE, action: "export", details: exportDetails(selection, format) });
  const text = exportText(exportedEntries(deps, selection), isExportFormat(format) ? exportFormats[format] : json, err);
  if (output === undefined) await pipeline(text, out, { end: false });
  else await writeWhole(output, text);
  return 0;
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
  row: (entry: Entry) => `\n${JSON.stringify(exportedFields(entry))}`,
  separator: ",",
  end: "\n]\n",
};

type Format = Pick<typeof json, "header" | "row"> & Partial<typeof json>;

/** Yields the file's contents page by page, at the pace of the writer. */
async function* exportText(
  pages: AsyncIterable<Entry[]>,
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
