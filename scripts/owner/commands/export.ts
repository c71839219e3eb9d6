import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { exportDetails } from "#app/owner/entries/export.server.ts";
import {
  type ExportFormatName,
  exportedFields,
  exportFormats,
  isExportFormat,
  isServiceFormat,
} from "#app/owner/entries/export-formats.ts";
import { exportedEntries } from "#app/owner/entries/exported-entries.server.ts";
import type { EntrySelection } from "#app/waitlist/entry-conditions.server.ts";
import { countEntries } from "#app/waitlist/list-entries.server.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, type CommandContext, choiceOption, UsageError } from "#scripts/owner/command.ts";
import { readSelection, selectionOptions } from "#scripts/owner/entry-options.ts";
import { confirm, progress } from "#scripts/owner/terminal.ts";

const formats = [...(Object.keys(exportFormats) as ExportFormatName[]), "json"] as const;

export const exportCommand: Command = {
  usage: "export",
  summary: "export people who may get email, to a file or stdout (npm run -s omits npm's own output)",
  options: {
    ...selectionOptions,
    everyone: { type: "boolean", description: "include people who unsubscribed or have yet to confirm" },
    format: { type: "string", description: `${formats.join(", ")} (default: csv)` },
    output: { type: "string", description: "write to this file, readable only by you (default: stdout)" },
    yes: { type: "boolean", description: "overwrite an existing file" },
  },
  async run({ db, hashKey, options, out, err, record }) {
    const format = choiceOption(options["format"], "format", formats) ?? "csv";
    const everyone = options["everyone"] === true;
    if (everyone && format !== "json" && isServiceFormat(format)) {
      throw new UsageError(`--format ${format} is for people who may get email: leave out --everyone.`);
    }
    if (!everyone && hashKey === undefined) {
      throw new StepError(
        "HASH_KEY is not set on this machine. Without it, people who asked for no email cannot be left out.",
        "Set the waitlist's HASH_KEY in deploy.env or in the environment, or export all with --everyone.",
      );
    }
    const selection = { ...readSelection(options), mayGetEmail: everyone ? undefined : true };
    const logged = exportDetails(selection, format);
    const chunks = () => exportChunks({ db, err, hashKey }, selection, format);
    const { output } = options;
    if (typeof output !== "string") {
      await record("export", logged);
      await pipeline(chunks(), out, { end: false });
      return 0;
    }
    if (existsSync(output)) await confirm(`${output} already exists. Overwrite it?`, { yes: options["yes"] === true });
    await record("export", logged);
    // Renamed when complete, so a partial export is not mistaken for the whole waitlist.
    const part = `${output}.part`;
    try {
      await pipeline(chunks(), createWriteStream(part, { mode: 0o600 }));
      renameSync(part, output);
    } finally {
      rmSync(part, { force: true });
    }
    return 0;
  },
};

/** Yields the file's contents page by page, at the pace of the writer. */
async function* exportChunks(
  { db, err, hashKey = "" }: Pick<CommandContext, "db" | "err" | "hashKey">,
  selection: EntrySelection,
  format: (typeof formats)[number],
): AsyncGenerator<string> {
  const report = progress("entries", await countEntries(db, selection), err);
  const file = isExportFormat(format) ? exportFormats[format] : null;
  let count = 0;
  yield file === null ? "[" : file.header();
  for await (const page of exportedEntries({ db, hashKey, now: Date.now }, selection)) {
    if (file !== null) yield page.map(file.row).join("");
    else
      yield page
        .map((entry, index) => `${count + index === 0 ? "" : ","}\n${JSON.stringify(exportedFields(entry))}`)
        .join("");
    count += page.length;
    report.update(count);
  }
  if (file === null) yield "\n]\n";
  report.end(count);
  if (count === 0 && selection.mayGetEmail && (await countEntries(db, { ...selection, mayGetEmail: undefined })) > 0) {
    err.write("People who unsubscribed or have yet to confirm are left out. To export them too: --everyone\n");
  }
}
