import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { allEntries } from "#app/owner/entries.server.ts";
import { csvHeader, csvRow, exportedFields } from "#app/owner/export.server.ts";
import { countByStatus } from "#app/owner/stats.server.ts";
import { type Command, type CommandContext, choiceOption } from "#scripts/owner/command.ts";
import { confirm, progress } from "#scripts/owner/terminal.ts";

const formats = ["csv", "json"] as const;

export const exportCommand: Command = {
  usage: "export",
  summary: "export the whole waitlist as CSV or JSON, to a file or stdout (npm run -s omits npm's own output)",
  options: {
    format: { type: "string", description: "csv or json (default: csv)" },
    output: { type: "string", description: "write to this file, readable only by you (default: stdout)" },
    yes: { type: "boolean", description: "overwrite an existing file" },
  },
  async run({ db, options, out, err, record }) {
    const format = choiceOption(options["format"], "format", formats) ?? "csv";
    const { output } = options;
    if (typeof output !== "string") {
      await record("export", { format });
      await pipeline(exportChunks({ db, err }, format), out, { end: false });
      return 0;
    }
    if (existsSync(output)) await confirm(`${output} already exists. Overwrite it?`, { yes: options["yes"] === true });
    await record("export", { format });
    // Renamed when complete, so a partial export is not mistaken for the whole waitlist.
    const part = `${output}.part`;
    try {
      await pipeline(exportChunks({ db, err }, format), createWriteStream(part, { mode: 0o600 }));
      renameSync(part, output);
    } finally {
      rmSync(part, { force: true });
    }
    return 0;
  },
};

/** Yields the file's contents page by page, at the pace of the writer. */
async function* exportChunks(
  { db, err }: Pick<CommandContext, "db" | "err">,
  format: (typeof formats)[number],
): AsyncGenerator<string> {
  const total = (await countByStatus(db)).reduce((sum, { people }) => sum + people, 0);
  const report = progress("entries", total, err);
  let count = 0;
  yield format === "csv" ? csvHeader() : "[";
  for await (const page of allEntries(db)) {
    if (format === "csv") yield page.map(csvRow).join("");
    else
      yield page
        .map((entry, index) => `${count + index === 0 ? "" : ","}\n${JSON.stringify(exportedFields(entry))}`)
        .join("");
    count += page.length;
    report.update(count);
  }
  if (format === "json") yield "\n]\n";
  report.end(count);
}
