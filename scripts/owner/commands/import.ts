import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { checkRows, type ImportReport } from "#app/owner/import/check.server.ts";
import { fieldLabels, fieldNames, fieldOf, guessMapping, type Mapping } from "#app/owner/import/fields.ts";
import { ImportError } from "#app/owner/import/import-error.ts";
import { confirmImport, findImport, findRunning, type Import, saveCheck } from "#app/owner/import/imports.server.ts";
import { problemText } from "#app/owner/import/problems.ts";
import { readCsv } from "#app/owner/import/read-csv.server.ts";
import { settingsErrors } from "#app/owner/import/read-settings.server.ts";
import { CHUNK_STATEMENTS, continueImports } from "#app/owner/import/run.server.ts";
import { stageImport } from "#app/owner/import/stage.server.ts";
import { cleanConsentNote, type ImportSettings } from "#app/owner/import/to-entry.server.ts";
import { createDisposableDomains } from "#app/waitlist/abuse/disposable-domains.server.ts";
import { root } from "#scripts/lib/commands.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, type CommandContext, UsageError } from "#scripts/owner/command.ts";
import { tableLines } from "#scripts/owner/table.ts";
import { progress } from "#scripts/owner/terminal.ts";

export const importCommand: Command = {
  usage: "import FILE",
  summary: "show what importing people from a CSV file would do; with --confirm, do it or continue it",
  options: {
    confirm: { type: "boolean", description: "add the people; run it again to continue after an interruption" },
    "consent-date": { type: "string", description: "when they agreed, for rows without a date (2026-11-21)" },
    "consent-note": { type: "string", description: "how they agreed, for rows that do not say it" },
    columns: { type: "string", description: 'what columns hold, such as "Address=email,Type=role,Notes="' },
    "month-first": { type: "boolean", description: "03/04/2026 is 4 March, not 3 April" },
    welcome: { type: "boolean", description: "send the welcome email to everyone who is added" },
  },
  async run(context) {
    const file = context.args[0];
    if (file === undefined) throw new UsageError("Which file?");
    if (!existsSync(file)) throw new StepError(`There is no file ${file}.`, "Give the path of a CSV file.");
    try {
      return await importFile(context, file);
    } catch (error) {
      if (error instanceof ImportError) throw new StepError(error.message, "Nothing was changed.");
      throw error;
    }
  },
};

/** The zone of dates without one: this machine's. */
const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

async function importFile(context: CommandContext, file: string): Promise<number> {
  const { db, options, print, now } = context;
  const confirmed = options["confirm"] === true;
  if (confirmed && context.hashKey === undefined) {
    throw new StepError(
      "HASH_KEY is not set on this machine. Without it, people who asked for no email cannot be left out.",
      "Set the waitlist's HASH_KEY in deploy.env or in the environment. Nothing was changed.",
    );
  }
  const digest = await digestOf(file);
  const unfinished = confirmed ? await findRunning(db, digest) : null;
  if (unfinished !== null) {
    print(`Continuing: ${unfinished.added} of ${unfinished.rows} rows have already been added.`);
    return run(context, unfinished);
  }
  const { columns, rows } = await readCsv(createReadStream(file));
  const settings = readOptions(options, columns);
  const report = await checkRows(db, rows, { settings, now });
  describe(context, { columns, settings, report });
  const errors = settingsErrors(settings, now);
  for (const { text } of errors) print(text);
  if (!confirmed) {
    print("\nNothing was changed. Add --confirm to import these people.");
    return 0;
  }
  if (errors.length > 0) throw new StepError("Something is missing; see above. Nothing was changed.", optionsHint);
  if (report.ready === 0) throw new StepError("There is no one to import.", "Nothing was changed.");
  const fileName = basename(file);
  const stage = { fileName, digest, maxChunks: Number.POSITIVE_INFINITY, now };
  const id = await stageImport(db, createReadStream(file), stage);
  await saveCheck(db, id, { settings, report, now });
  await confirmImport(db, id, now, now);
  await context.record("import", { importId: id, people: report.ready });
  const started = await findImport(db, id);
  return started === null ? 1 : run(context, started);
}

const optionsHint = "Use --consent-date, --consent-note and --columns.";

/** Imports chunk by chunk, beside the site if it runs. */
async function run(context: CommandContext, { id, rows, chunks }: Import): Promise<number> {
  const { db, hashKey = "", disposableAllowed, print, err } = context;
  const assets = {
    fetch: async () => new Response(readFileSync(join(root, "public", "disposable-domains.txt"), "utf8")),
  };
  const disposableDomains = createDisposableDomains({ assets, allowed: disposableAllowed, now: Date.now });
  const report = progress("rows", rows, err);
  const deps = { db, hashKey, disposableDomains, now: Date.now };
  for (;;) {
    const found = await findImport(db, id);
    if (found?.state !== "running") break;
    report.update(Math.round((found.position / chunks) * rows));
    await continueImports(deps, { maxStatements: CHUNK_STATEMENTS, until: Number.POSITIVE_INFINITY });
  }
  report.end(rows);
  const found = await findImport(db, id);
  if (found === null || found.state !== "done")
    throw new StepError("The import was stopped.", "See the owner's pages.");
  const listed = Math.max(0, (found.report?.ready ?? 0) - found.added - found.suppressed);
  print(
    `Added ${people(found.added)}. Already on the waitlist, unchanged: ${listed}. Not added, because they get no email: ${found.suppressed}.`,
  );
  return 0;
}

function people(count: number): string {
  return count === 1 ? "1 person" : `${count} people`;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest("hex");
}

function readOptions(options: CommandContext["options"], columns: string[]): ImportSettings {
  const note = options["consent-note"];
  const date = options["consent-date"];
  return {
    mapping: mappingOf(columns, options["columns"]),
    consentDate: typeof date === "string" ? date : null,
    note: typeof note === "string" ? cleanConsentNote(note) : "",
    timeZone,
    monthFirst: options["month-first"] === true,
    welcome: options["welcome"] === true,
  };
}

/** The columns by their names, with the exceptions given as `Column=field`. @throws {UsageError} */
function mappingOf(columns: string[], given: string | boolean | undefined): Mapping {
  const mapping = guessMapping(columns);
  if (typeof given !== "string") return mapping;
  for (const pair of given.split(",")) {
    const [column = "", field = ""] = pair.split("=").map((part) => part.trim());
    const index = columns.indexOf(column);
    if (index === -1) throw new UsageError(`--columns: the file has no column "${column}".`);
    const name = field === "" ? null : fieldOf(field);
    if (field !== "" && name === null) {
      throw new UsageError(`--columns: "${field}" is not one of ${fieldNames.join(", ")}.`);
    }
    mapping[index] = name;
  }
  return mapping;
}

interface Preview {
  columns: string[];
  settings: ImportSettings;
  report: ImportReport;
}

/** Prints what the columns hold, how many people would be added, and the problems by line; never a value of the file. */
function describe({ print }: CommandContext, { columns, settings, report }: Preview): void {
  const held = columns.map((column, index) => {
    const field = settings.mapping[index];
    return [column, field == null ? "left out" : fieldLabels[field]];
  });
  for (const line of tableLines([["column", "holds"], ...held])) print(line);
  const { rows, ready, listed, leftOut, first } = report;
  print(`\n${rows} rows: ${ready - listed} to add, ${listed} already there, ${leftOut} left out`);
  for (const problem of first) print(`  line ${problem.line}: ${problemText(problem)}`);
  const more = Object.values(report.problems).reduce((sum, count) => sum + count, 0) - first.length;
  if (more > 0) print(`  and ${more} more problems`);
}
