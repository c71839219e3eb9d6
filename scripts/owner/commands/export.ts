import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { exportDetails } from "#app/owner/entries/export.server.ts";
import { exportedFields, exportFormats, isExportFormat, isServiceFormat } from "#app/owner/entries/export-formats.ts";
import { exportedEntries } from "#app/owner/entries/exported-entries.server.ts";
import type { EntrySelection } from "#app/waitlist/entry-conditions.server.ts";
import { filterParameters, parseEntryFilter } from "#app/waitlist/entry-filter.ts";
import { countEntries } from "#app/waitlist/list-entries.server.ts";
import { type Command, type CommandContext, requireHashKey, UsageError } from "#scripts/owner/command.ts";
import { confirm, progress } from "#scripts/owner/terminal.ts";

const formats = [...Object.keys(exportFormats), "json"];

export const exportCommand: Command = {
  usage: "export",
  summary: "export people who may get email, to a file or stdout (npm run -s omits npm's own output)",
  options: {
    search: "only addresses that contain this text",
    ...Object.fromEntries(filterParameters.map(({ name, description }) => [name, description])),
    "time-zone": "of --from and --until, such as Europe/London (default: this machine's)",
    format: `${formats.join(", ")} (default: csv)`,
    output: "write to this file, readable only by you (default: stdout)",
  },
  flags: {
    everyone: "include people who unsubscribed or have yet to confirm",
    yes: "overwrite an existing file",
  },
  async run(context) {
    const { options, flags, out, record } = context;
    const { format = "csv", output } = options;
    if (!formats.includes(format)) throw new UsageError(`--format must be one of ${formats.join(", ")}.`);
    const everyone = flags["everyone"] === true;
    if (everyone && isExportFormat(format) && isServiceFormat(format)) {
      throw new UsageError(`--format ${format} is for people who may get email: leave out --everyone.`);
    }
    const hashKey = everyone ? "" : requireHashKey(context, ", or export all with --everyone");
    const selection = { ...readSelection(options), mayGetEmail: everyone ? undefined : true };
    if (output !== undefined && existsSync(output)) {
      await confirm(`${output} already exists. Overwrite it?`, flags["yes"]);
    }
    await record("export", exportDetails(selection, format));
    const text = exportText(context, { hashKey, selection, format });
    if (output === undefined) await pipeline(text, out, { end: false });
    else await writeWhole(output, text);
    return 0;
  },
};

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

interface Export {
  hashKey: string;
  selection: EntrySelection;
  format: string;
}

const json = {
  header: () => "[",
  row: (entry: Parameters<typeof exportedFields>[0]) => `\n${JSON.stringify(exportedFields(entry))}`,
  separator: ",",
  end: "\n]\n",
};

/** Yields the file's contents page by page, at the pace of the writer. */
async function* exportText(
  { db, err }: CommandContext,
  { hashKey, selection, format }: Export,
): AsyncGenerator<string> {
  const report = progress("entries", await countEntries(db, selection), err);
  const noSeparator = { separator: "", end: "" };
  const { header, row, separator, end } = isExportFormat(format) ? { ...exportFormats[format], ...noSeparator } : json;
  let count = 0;
  yield header();
  for await (const page of exportedEntries({ db, hashKey, now: Date.now }, selection)) {
    if (page.length === 0) continue;
    yield `${count === 0 ? "" : separator}${page.map(row).join(separator)}`;
    count += page.length;
    report.update(count);
  }
  yield end;
  report.end(count);
  if (count === 0 && selection.mayGetEmail && (await countEntries(db, { ...selection, mayGetEmail: undefined })) > 0) {
    err.write("People who unsubscribed or have yet to confirm are left out. To export them too: --everyone\n");
  }
}

/** The filters of the list on the owner's pages, and a search. @throws {UsageError} */
function readSelection(options: CommandContext["options"]): EntrySelection {
  const values = filterParameters.flatMap(({ name }) => (options[name] === undefined ? [] : [[name, options[name]]]));
  const { filter, problems } = parseEntryFilter(new URLSearchParams(values));
  if (problems.length > 0) throw new UsageError(problems.map((problem) => `--${problem}`).join("\n"));
  return { ...filter, search: options["search"]?.toLowerCase(), timeZone: readTimeZone(options["time-zone"]) };
}

function readTimeZone(timeZone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    throw new UsageError(`--time-zone must be a time zone such as Europe/London, not "${timeZone}".`);
  }
}
