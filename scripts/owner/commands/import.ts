import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { stripVTControlCharacters } from "node:util";
import { checkRows, type ImportReport } from "#app/owner/import/check.server.ts";
import { fieldLabels, fieldNames, fieldOf, guessMapping, type Mapping } from "#app/owner/import/fields.ts";
import { confirmImport, findImport, findRunning, saveCheck } from "#app/owner/import/imports.server.ts";
import { problemText } from "#app/owner/import/problems.ts";
import { readCsv } from "#app/owner/import/read-csv.server.ts";
import { settingsErrors } from "#app/owner/import/read-settings.server.ts";
import { CHUNK_STATEMENTS, continueImports } from "#app/owner/import/run.server.ts";
import { stageImport } from "#app/owner/import/stage.server.ts";
import { cleanConsentNote, type ImportSettings } from "#app/owner/import/to-entry.server.ts";
import { createDisposableDomains } from "#app/waitlist/abuse/disposable-domains.server.ts";
import { root } from "#scripts/lib/commands.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, type CommandContext, requireHashKey, UsageError } from "#scripts/owner/command.ts";
import { progress } from "#scripts/owner/terminal.ts";

export const importCommand: Command = {
  usage: "import FILE",
  summary: "show what importing people from a CSV file would do; with --confirm, do it or continue it",
  options: {
    "consent-date": "when they agreed, for rows without a date (2026-11-21)",
    "consent-note": "how they agreed, for rows that do not say it",
    columns: 'what columns hold, such as "Address=email,Type=role,Notes="',
  },
  flags: {
    confirm: "add the people; run it again to continue after an interruption",
    "month-first": "03/04/2026 is 4 March, not 3 April",
    welcome: "send the welcome email to everyone who is added",
  },
  async run(context) {
    const { db, args, flags, print, record, now } = context;
    const [file] = args;
    if (file === undefined) throw new UsageError("Which file?");
    if (!existsSync(file)) throw new StepError(`There is no file ${file}.`, "Give the path of a CSV file.");
    if (!flags["confirm"]) {
      await check(context, file);
      print("\nNothing was changed. Add --confirm to import these people.");
      return 0;
    }
    const hashKey = requireHashKey(context);
    const digest = await digestOf(file);
    const unfinished = await findRunning(db, digest);
    if (unfinished !== null) {
      print(`Continuing: ${unfinished.added} of ${unfinished.rows} rows have already been added.`);
      return addPeople(context, hashKey, unfinished.id);
    }
    const { settings, report, isComplete } = await check(context, file);
    if (!isComplete) {
      const remedy = "Use --consent-date, --consent-note and --columns.";
      throw new StepError("Something is missing; see above. Nothing was changed.", remedy);
    }
    if (report.ready === 0) throw new StepError("There is no one to import.", "Nothing was changed.");
    const stage = { fileName: basename(file), digest, maxChunks: Number.POSITIVE_INFINITY, now };
    const id = await stageImport(db, createReadStream(file), stage);
    await saveCheck(db, id, { settings, report, now });
    await confirmImport(db, id, now, now);
    await record("import", { importId: id, people: report.ready });
    return addPeople(context, hashKey, id);
  },
};

/** Prints what the columns hold, how many people would be added, and the problems by line; never a value of the file. */
async function check({ db, options, flags, print, now }: CommandContext, file: string) {
  const { columns, rows } = await readCsv(createReadStream(file));
  const settings: ImportSettings = {
    mapping: mappingOf(columns, options["columns"]?.split(",") ?? []),
    consentDate: options["consent-date"] ?? null,
    note: cleanConsentNote(options["consent-note"] ?? ""),
    // Of dates without one: this machine's.
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    monthFirst: flags["month-first"] === true,
    welcome: flags["welcome"] === true,
  };
  const report = await checkRows(db, rows, { settings, now });
  const errors = settingsErrors(settings, now);
  for (const line of [...describeColumns(columns, settings.mapping), "", ...describeReport(report)]) print(line);
  for (const { text } of errors) print(text);
  return { settings, report, isComplete: errors.length === 0 };
}

/** The columns by their names, with the exceptions given as `Column=field`. @throws {UsageError} */
function mappingOf(columns: string[], exceptions: string[]): Mapping {
  const mapping = guessMapping(columns);
  for (const pair of exceptions) {
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

function describeColumns(columns: string[], mapping: Mapping): string[] {
  // A file's control characters could control the terminal.
  const names = columns.map((column) => stripVTControlCharacters(column).replace(/[\p{Cc}\p{Cf}]/gu, "") || "-");
  const width = Math.max(...names.map(({ length }) => length));
  return names.map((name, index) => {
    const field = mapping[index];
    return `${name.padEnd(width)}  ${field == null ? "left out" : fieldLabels[field]}`;
  });
}

function describeReport({ rows, ready, listed, leftOut, problems, first }: ImportReport): string[] {
  const more = Object.values(problems).reduce((sum, count) => sum + count, 0) - first.length;
  return [
    `${rows} rows: ${ready - listed} to add, ${listed} already there, ${leftOut} left out`,
    ...first.map((problem) => `  line ${problem.line}: ${problemText(problem)}`),
    ...(more > 0 ? [`  and ${more} more problems`] : []),
  ];
}

/** Imports chunk by chunk, beside the site if it runs. */
async function addPeople(context: CommandContext, hashKey: string, id: number): Promise<number> {
  const { db, disposableAllowed, print, err } = context;
  const domains = join(root, "public", "disposable-domains.txt");
  const assets = { fetch: async () => new Response(readFileSync(domains, "utf8")) };
  const disposableDomains = createDisposableDomains({ assets, allowed: disposableAllowed, now: Date.now });
  const deps = { db, hashKey, disposableDomains, now: Date.now };
  let found = await findImport(db, id);
  const bar = progress("rows", found?.rows ?? 0, err);
  for (; found?.state === "running"; found = await findImport(db, id)) {
    bar.update(Math.round((found.position / found.chunks) * found.rows));
    await continueImports(deps, { maxStatements: CHUNK_STATEMENTS, until: Number.POSITIVE_INFINITY });
  }
  if (found?.state !== "done") throw new StepError("The import was stopped.", "See the owner's pages.");
  bar.end(found.rows);
  const listed = Math.max(0, (found.report?.ready ?? 0) - found.added - found.suppressed);
  print(
    `Added ${found.added === 1 ? "1 person" : `${found.added} people`}. Already on the waitlist, unchanged: ${listed}. Not added, because they get no email: ${found.suppressed}.`,
  );
  return 0;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
