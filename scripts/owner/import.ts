import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { InvalidArgumentError } from "commander";
import * as v from "valibot";
import { checkRows, type ImportReport } from "#app/owner/import/check.server.ts";
import { fieldLabels, fieldNames, fieldOf, guessMapping, type Mapping } from "#app/owner/import/fields.ts";
import { confirmImport, findImport, findRunning, saveCheck } from "#app/owner/import/imports.server.ts";
import { meaningsOf, wordQuestions } from "#app/owner/import/open-questions.ts";
import { problemText } from "#app/owner/import/problems.ts";
import { readCsv } from "#app/owner/import/read-csv.server.ts";
import { readOrder, settingsErrors } from "#app/owner/import/read-settings.server.ts";
import { ATTEMPT_STATEMENTS, continueImports, rowsAtOnce } from "#app/owner/import/run.server.ts";
import { stageImport } from "#app/owner/import/stage.server.ts";
import { type ImportSettings, type Words, wordKey } from "#app/owner/import/to-entry.server.ts";
import { COMMAND_LINE, recordAction } from "#app/owner/log/log.server.ts";
import { domainList } from "#app/server/config-values.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { describeError } from "#app/server/log.ts";
import { createDisposableDomains } from "#app/waitlist/abuse/disposable-domains.server.ts";
import { cleanConsentNote } from "#app/waitlist/consent-note.ts";
import { root } from "#scripts/lib/commands.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { isBusy, requireHashKey, type Waitlist } from "#scripts/owner/command.ts";

interface ImportOptions {
  consentDate?: string;
  consentNote?: string;
  columns?: string;
  confirm?: true;
  dates?: string;
  words?: string[];
  welcome?: true;
}

/** Shows what importing people from a CSV file would do; with `--confirm`, does it or continues it. */
export async function importPeople(waitlist: Waitlist, options: ImportOptions, file: string): Promise<void> {
  const { db, out } = waitlist;
  if (!existsSync(file)) throw new StepError(`There is no file ${file}.`, "Give the path of a CSV file.");
  if (!options.confirm) {
    await check(waitlist, options, file);
    out.write("\nNothing was changed. Add --confirm to import these people.\n");
    return;
  }
  requireHashKey(waitlist);
  const digest = await digestOf(file);
  const unfinished = await patiently(() => findRunning(db, digest));
  if (unfinished !== null) {
    out.write(`Continuing: ${unfinished.added} of ${unfinished.rows} rows have already been added.\n`);
  }
  const begun = unfinished ?? (await checkAndBegin(waitlist, options, { file, digest }));
  const progress = { added: unfinished?.added ?? 0 };
  try {
    if ("people" in begun) await start(db, begun);
    await addPeople(waitlist, begun.id, progress);
  } catch (error) {
    throw error instanceof StepError ? error : interruption(error, progress.added);
  }
}

async function checkAndBegin(
  waitlist: Waitlist,
  options: ImportOptions,
  { file, digest }: { file: string; digest: string },
) {
  const checked = await check(waitlist, options, file);
  // What an interrupted try has staged is deleted after a day.
  return patiently(() => begin(waitlist.db, file, digest, checked));
}

/** Prints what the columns hold, how many people would be added, and the problems by line; never a value of the file. */
async function check({ db, out }: Waitlist, options: ImportOptions, file: string) {
  const now = Date.now();
  const { columns } = await readCsv(createReadStream(file));
  const given: ImportSettings = {
    mapping: mappingOf(columns, options.columns?.split(",") ?? []),
    consentDate: options.consentDate ?? null,
    note: cleanConsentNote(options.consentNote ?? ""),
    // Of dates without one: this machine's.
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    monthFirst: readOrder(options.dates ?? ""),
    welcome: options.welcome === true,
    words: readWords(options.words ?? []),
  };
  const read = async function* () {
    yield* (await readCsv(createReadStream(file))).rows;
  };
  const { report, settings } = await patiently(() => checkRows(db, read, { settings: given, now }));
  const missing = [
    ...settingsErrors(settings, now).map(({ text }) => text),
    ...describeQuestions(report, settings, true),
  ];
  const found = [...describeReport(report), ...describeQuestions(report, settings, false)];
  const lines = [...describeColumns(columns, settings.mapping), "", ...found, ...missing];
  out.write(`${lines.join("\n")}\n`);
  return { settings, report, now, missing };
}

type Checked = Awaited<ReturnType<typeof check>>;

/** An import whose rows are stored, and whom it would add. */
interface Staged {
  id: number;
  people: number;
  checkedAt: number;
}

/** Stores the file's rows. */
async function begin(db: Db, file: string, digest: string, checked: Checked): Promise<Staged> {
  const { now, report, missing } = checked;
  if (missing.length > 0) {
    const remedy = "Use --consent-date, --consent-note, --columns, --words and --dates.";
    throw new StepError("Something is missing; see above. Nothing was changed.", remedy);
  }
  if (report.ready === 0) throw new StepError("There is no one to import.", "Nothing was changed.");
  const stage = { fileName: basename(file), digest, maxChunks: Number.POSITIVE_INFINITY, now };
  const id = await stageImport(db, createReadStream(file), stage);
  await saveCheck(db, id, checked);
  return { id, people: report.ready, checkedAt: now };
}

/** Starts an import, which a running site may continue from then on. */
async function start(db: Db, { id, people, checkedAt }: Staged): Promise<void> {
  await patiently(() => confirmImport(db, id, checkedAt, checkedAt));
  const details = { importId: id, people };
  await patiently(() => recordAction({ db, now: Date.now }, { by: COMMAND_LINE, action: "import", details }));
}

/** How long an import waits for another program to finish writing (milliseconds). */
const PATIENCE = 30_000;

/** Repeats what is safe to repeat for as long as another program, such as a running site, is writing to the database. */
async function patiently<Result>(run: () => Promise<Result>): Promise<Result> {
  for (const until = Date.now() + PATIENCE; ; await setTimeout(500)) {
    try {
      return await run();
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
    }
  }
}

/** The error for the terminal when an import that has begun was interrupted. @param added how many people at least */
function interruption(error: unknown, added: number): StepError {
  const people = added === 1 ? "1 person was" : `${added} people were`;
  const done = added === 0 ? "Some people may have been added." : `At least ${people} added.`;
  const cause = isBusy(error) ? "Another program is writing to the database" : describeError(error);
  const remedy = "Run the same command again: it continues, and adds no one twice.";
  return new StepError(`The import was interrupted: ${cause}.\n\n${done}`, remedy);
}

/** The columns by their names, with the exceptions given as `Column=field`. @throws {InvalidArgumentError} */
function mappingOf(columns: string[], exceptions: string[]): Mapping {
  const mapping = guessMapping(columns);
  for (const pair of exceptions) {
    const [column = "", field = ""] = pair.split("=").map((part) => part.trim());
    const index = columns.indexOf(column);
    if (index === -1) throw new InvalidArgumentError(`--columns: the file has no column "${column}".`);
    const name = field === "" ? null : fieldOf(field);
    if (field !== "" && name === null) {
      throw new InvalidArgumentError(`--columns: "${field}" is not one of ${fieldNames.join(", ")}.`);
    }
    mapping[index] = name;
  }
  return mapping;
}

/** What words mean, given as `field:word=meaning`. @throws {InvalidArgumentError} */
function readWords(given: string[]): Words {
  const words: Words = {};
  for (const text of given) {
    const [, name = "", word = "", meaning = ""] = /^(\w+):(.*)=([\w-]+)$/.exec(text) ?? [];
    const field = fieldNames.find((known) => known === name);
    const isMeaning = field !== undefined && Object.hasOwn(meaningsOf(field) ?? {}, meaning);
    if (field === undefined || !isMeaning) {
      throw new InvalidArgumentError(`--words: "${text}" is not like "status:VIP=active".`);
    }
    words[field] = { ...words[field], [wordKey(word)]: meaning };
  }
  return words;
}

/** What the file leaves open, with what can be given for it: what the import waits for, or what it leaves empty. */
function describeQuestions(report: ImportReport, settings: ImportSettings, isRequired: boolean): string[] {
  const { ambiguousDates } = report;
  const order = `${ambiguousDates} dates can be read in two ways. Say with --dates which is right.`;
  const words = wordQuestions(report, settings).flatMap((question) => {
    const open = question.words.filter(({ meaning }) => meaning === "");
    if (question.isRequired !== isRequired || open.length === 0) return [];
    const list = open.map(({ word, rows }) => `${printable(word)} (${rows})`).join(", ");
    const known = Object.keys(question.meanings).filter(Boolean).join(", ");
    const effect = isRequired ? "" : "left empty, because these are ";
    return `${question.field}: ${effect}not known: ${list}. Say with --words what each means: ${known}.`;
  });
  return [...(isRequired && ambiguousDates > 0 ? [order] : []), ...words];
}

/** A text of the file without control characters, which could control the terminal. */
function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Cf}]/gu, "") || "-";
}

function describeColumns(columns: string[], mapping: Mapping): string[] {
  const names = columns.map(printable);
  const width = Math.max(...names.map(({ length }) => length));
  return names.map((name, index) => {
    const field = mapping[index];
    return `${name.padEnd(width)}  ${field == null ? "left out" : fieldLabels[field]}`;
  });
}

function describeReport(report: ImportReport): string[] {
  const { rows, ready, listed, unsubscribed, bounced, complained, undated, leftOut, problems, first } = report;
  const more = Object.values(problems).reduce((sum, count) => sum + count, 0) - first.length;
  return [
    `${rows} rows: ${ready - listed} to add, ${listed} already there, ${leftOut} left out`,
    ...(unsubscribed > 0
      ? [
          `${unsubscribed} get no email: ${unsubscribed - bounced - complained} unsubscribed, ${bounced} bounced, ${complained} complained`,
        ]
      : []),
    ...(undated > 0 ? [`${undated} have no date of joining: they will have joined today`] : []),
    ...first.map((problem) => `  line ${problem.line}: ${problemText(problem)}`),
    ...(more > 0 ? [`  and ${more} more problems`] : []),
  ];
}

/** Imports chunk by chunk, beside the site if it runs, and says what was added. */
async function addPeople(waitlist: Waitlist, id: number, progress: { added: number }): Promise<void> {
  const { db, settings, out, err } = waitlist;
  const domains = join(root, "public", "disposable-domains.txt");
  const assets = { fetch: async () => new Response(readFileSync(domains, "utf8")) };
  const allowed = readAllowedDomains(settings["DISPOSABLE_ALLOWED"]);
  const disposableDomains = createDisposableDomains({ assets, allowed, now: Date.now });
  const deps = { db, hashKey: requireHashKey(waitlist), disposableDomains, now: Date.now };
  const read = () => patiently(() => findImport(db, id));
  let found = await read();
  for (; found?.state === "running"; found = await read()) {
    progress.added = found.added;
    err.write(`Importing part ${found.position + 1} of ${found.chunks}\n`);
    const budget = { maxStatements: ATTEMPT_STATEMENTS, until: Number.POSITIVE_INFINITY, rows: rowsAtOnce.paid };
    // The site works on these rows if nothing but the claim was executed.
    if ((await patiently(() => continueImports(deps, budget))) === 1) await setTimeout(1_000);
  }
  if (found?.state !== "done") throw new StepError("The import was stopped.", "See the owner's pages.");
  const listed = Math.max(0, (found.report?.ready ?? 0) - found.added - found.suppressed);
  out.write(
    `Added ${found.added === 1 ? "1 person" : `${found.added} people`}. Already on the waitlist, unchanged: ${listed}. Not added, because they get no email: ${found.suppressed}.\n`,
  );
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** The domains in `DISPOSABLE_ALLOWED`: none if the value is missing or malformed. */
function readAllowedDomains(value: string | undefined): string[] {
  const { success, output } = v.safeParse(domainList, value);
  return success ? output : [];
}
