import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { allEntries } from "#app/owner/entries.server.ts";
import { csvHead, csvRow, exportedFields } from "#app/owner/export.server.ts";
import { readStats } from "#app/owner/stats.server.ts";
import { type Command, type CommandContext, choiceOption } from "#scripts/owner/command.ts";
import { confirm, progress } from "#scripts/owner/terminal.ts";

const formats = ["csv", "json"] as const;

export const exportCommand: Command = {
  usage: "export",
  summary: "the whole list as CSV or JSON, to a file, or to stdout (npm run -s keeps npm's own lines out of it)",
  options: {
    format: { type: "string", means: "csv or json (csv)" },
    output: { type: "string", means: "into this file, which only you can read (stdout)" },
    yes: { type: "boolean", means: "write over a file that is there" },
  },
  async run({ db, options, out, err, now }) {
    const format = choiceOption(options["format"], "format", formats) ?? "csv";
    const { output } = options;
    if (typeof output !== "string") {
      await pipeline(exported({ db, err, now }, format), out, { end: false });
      return 0;
    }
    if (existsSync(output))
      await confirm(`${output} is there already: write over it?`, { yes: options["yes"] === true });
    // Whatever is cut short must not be taken for the whole list.
    const part = `${output}.part`;
    try {
      await pipeline(exported({ db, err, now }, format), createWriteStream(part, { mode: 0o600 }));
      renameSync(part, output);
    } finally {
      rmSync(part, { force: true });
    }
    return 0;
  },
};

/** The file a page of entries at a time, as fast as it is written away. */
async function* exported(
  { db, err, now }: Pick<CommandContext, "db" | "err" | "now">,
  format: (typeof formats)[number],
): AsyncGenerator<string> {
  const { entries } = await readStats(db, { now, days: 1, timeZone: "UTC" });
  const told = progress("entries", entries.active + entries.unsubscribed, err);
  let count = 0;
  yield format === "csv" ? csvHead() : "[";
  for await (const page of allEntries(db)) {
    if (format === "csv") yield page.map(csvRow).join("");
    else
      yield page
        .map((entry, index) => `${count + index === 0 ? "" : ","}\n${JSON.stringify(exportedFields(entry))}`)
        .join("");
    count += page.length;
    told.update(count);
  }
  if (format === "json") yield "\n]\n";
  told.end(count);
}
