import { hash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import * as v from "valibot";
import { checkRows, type ImportReport } from "#app/features/import/file/check.server.ts";
import { fieldLabels, guessMapping } from "#app/features/import/file/fields.ts";
import { wordQuestions } from "#app/features/import/file/questions.ts";
import { type CsvFile, type CsvRow, readCsv, type Separator } from "#app/features/import/file/read-csv.server.ts";
import { type ImportSettings, OTHERS } from "#app/features/import/file/to-entry.server.ts";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import {
  confirmImport,
  findImport,
  findRunning,
  type Import,
  saveCheck,
  stageImport,
} from "#app/features/import/imports.server.ts";
import { settingsErrors, timeZones } from "#app/features/import/settings.server.ts";
import { COMMAND_LINE, recordAction } from "#app/owner/log.server.ts";
import { counted } from "#app/owner/ui/labels.ts";
import { createDisposableDomains } from "#app/server/abuse/disposable-domains.server.ts";
import { domainList } from "#app/server/config/config-values.server.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { describeError } from "#app/server/log.ts";
import { runJobs } from "#app/server/queue.server.ts";
import { cleanConsentNote } from "#app/waitlist/entries/consent-note.ts";
import { root } from "#scripts/lib/commands.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { isBusy, requireHashKey, type Waitlist } from "#scripts/owner/command.ts";
import { applyStoredSettings } from "#scripts/owner/stored-settings.ts";

interface ImportOptions {
  consentDate?: string;
  consentNote?: string;
  separator?: Separator;
  timeZone?: string;
  keepOptedOut?: true;
  fillAnswers?: true;
  confirm?: true;
  welcome?: true;
}

/** Bytes. The whole file is in memory. */
const MAX_SIZE = 200_000_000;

/** Shows what importing people from a CSV file would do; with `--confirm`, does it or continues it. */
export async function importPeople(waitlist: Waitlist, options: ImportOptions, path: string): Promise<void> {
  const { db, out } = waitlist;
  await applyStoredSettings(waitlist);
  if (!existsSync(path)) throw new StepError(`There is no file ${path}.`, "Give the path of a CSV file.");
  if (statSync(path).size > MAX_SIZE) throw new StepError("The file is larger than 200 MB.", "Split it.");
  const bytes = readFileSync(path);
  if (!options.confirm) {
    await check(waitlist, options, await readCsv(bytes, options.separator));
    out.write("\nNothing was changed. Add --confirm to import these people.\n");
    return;
  }
  requireHashKey(waitlist);
  const digest = hash("sha256", bytes);
  const running = await findRunning(db, digest);
  if (running !== null) {
    out.write(`Continuing: ${running.added} of ${running.rows} rows have already been added.\n`);
    return addPeople(waitlist, running.id);
  }
  const file = await readCsv(bytes, options.separator);
  const checked = await check(waitlist, options, file);
  if (checked.missing.length > 0) {
    throw new StepError(
      "Something is missing or unclear; see above. Nothing was changed.",
      `Give --consent-date and --consent-note. Correct the headings, words and dates in the file, or import it on the page
/owner/import, where you can say what each of them means.`,
    );
  }
  const { now, report } = checked;
  if (report.people === 0) throw new StepError("There is no one to import.", "Nothing was changed.");
  // If this is interrupted, what it has stored is deleted after a day. Once confirmed, a running site may continue it.
  const id = await stageImport(db, file, { fileName: basename(path), digest, now });
  await saveCheck(db, id, checked);
  await confirmImport(db, id, now, now);
  const details = { importId: id, people: report.people };
  await recordAction({ db, now: Date.now }, { by: COMMAND_LINE, action: "import", details });
  await addPeople(waitlist, id);
}

/** Prints what the columns hold, what would become of the people, and the problems by line; never an address. */
async function check({ db, out, settings: { HASH_KEY = "" } }: Waitlist, options: ImportOptions, file: CsvFile) {
  const now = Date.now();
  const { columns, chunks } = file;
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timeZone = timeZones(own).find((zone) => zone === (options.timeZone ?? own));
  if (timeZone === undefined)
    throw new StepError(`There is no time zone ${options.timeZone}.`, "Give one such as UTC.");
  const given: ImportSettings = {
    mapping: guessMapping(columns),
    consentDate: options.consentDate ?? null,
    note: cleanConsentNote(options.consentNote ?? ""),
    timeZone,
    monthFirst: null,
    welcome: options.welcome === true,
    unsubscribe: options.keepOptedOut !== true,
    fill: options.fillAnswers === true,
  };
  async function* read() {
    for (const chunk of chunks) yield JSON.parse(chunk) as CsvRow[];
  }
  const { report, settings } = await checkRows({ db, hashKey: HASH_KEY }, { columns, read }, { settings: given, now });
  const missing = [
    ...settingsErrors(settings, columns, now).map(({ text }) => text),
    ...ifAny(report.ambiguousDates, "dates can be read in two ways, such as 03/04/2026."),
    ...openWords({ report, settings, columns }, true),
  ];
  const meanings = columns.map((name, index) => {
    const field = settings.mapping[index];
    return `${printable(name)}: ${field == null ? "left out" : fieldLabels()[field]}`;
  });
  const empty = openWords({ report, settings, columns }, false);
  out.write(`${[...meanings, "", ...describeReport(report, settings), ...empty, ...missing].join("\n")}\n`);
  return { settings, report, now, missing };
}

/** Imports chunk by chunk, beside the site if it runs, and says what was added. @throws {StepError} if interrupted */
async function addPeople(waitlist: Waitlist, id: number): Promise<void> {
  const { db, settings, out, err } = waitlist;
  const domains = join(root, "public", "disposable-domains.txt");
  const assets = { fetch: async () => new Response(readFileSync(domains, "utf8")) };
  const allowed = v.parse(v.fallback(domainList, []), settings["DISPOSABLE_ALLOWED"]);
  const disposableDomains = createDisposableDomains({ assets, allowed, now: Date.now });
  const plan = { ...planLimits.paid, jobsOfEachKind: 1 };
  const deps = { db, hashKey: requireHashKey(waitlist), disposableDomains, plan, now: Date.now };
  let found: Import | null = null;
  let part = -1;
  try {
    for (;;) {
      found = await findImport(db, id);
      if (found?.state !== "running") break;
      if (found.position !== part) err.write(`Importing part ${found.position + 1} of ${found.chunks}\n`);
      part = found.position;
      // Without a turn, the site works on these rows, or an attempt at them has just failed.
      if ((await runJobs(deps, [importJobs], { subrequests: plan.subrequests, until: Date.now() + 1_000 })) === 0)
        await setTimeout(1_000);
    }
  } catch (error) {
    const done = found?.added
      ? `At least ${counted(found.added, "person was", "people were")} added.`
      : "Some people may have been added.";
    const cause = isBusy(error) ? "Another program is writing to the database" : describeError(error);
    const remedy = "Run the same command again: it continues, and adds no one twice.";
    throw new StepError(`The import was interrupted: ${cause}.\n\n${done}`, remedy);
  }
  if (found?.state !== "done") throw new StepError("The import was stopped.", "See the owner's pages.");
  const { report, added, unsubscribed, filled, suppressed } = found;
  const unchanged = Math.max(0, (report?.people ?? 0) - added - unsubscribed - filled - suppressed);
  const gone = unsubscribed > 0 ? ` Unsubscribed: ${unsubscribed}.` : "";
  const given = filled > 0 ? ` Answers filled in: ${filled}.` : "";
  out.write(
    `Added ${counted(added, "person", "people")}.${gone}${given} Already on the waitlist, unchanged: ${unchanged}. `,
  );
  out.write(`Not added, because they get no email: ${suppressed}.\n`);
}

/** Words that the site does not know, by column: those that the import waits for, or those that leave a field empty. */
function openWords(asked: Parameters<typeof wordQuestions>[0], isRequired: boolean): string[] {
  const questions = wordQuestions(asked).filter((question) => question.isRequired === isRequired);
  return questions.map(({ name, words }) => {
    const nameOf = (word: string) => (word === OTHERS ? "others" : word === "" ? "an empty cell" : printable(word));
    const list = words.map(({ word, rows }) => `${nameOf(word)} (${rows})`).join(", ");
    return `${printable(name)}: ${isRequired ? "not known" : "left empty, because these are not known"}: ${list}.`;
  });
}

/** A text of the file without control characters, which could control the terminal. */
function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Cf}]/gu, "") || "-";
}

function describeReport(report: ImportReport, { unsubscribe }: ImportSettings): string[] {
  const { rows, active, left, unchanged, filled, optedOut, keptOut, undated, leftOut, first } = report;
  const gone = left.unsubscribed + left.bounced + left.complained;
  const fate = unsubscribe ? "to be unsubscribed" : "unchanged";
  return [
    `${rows} rows: ${active} to add, ${unchanged} already there and unchanged, ${leftOut} left out`,
    ...ifAny(gone, "more to add as unsubscribed: by the file they unsubscribed, bounced or complained"),
    ...ifAny(optedOut.people, `on the waitlist opted out by the file: ${fate}`),
    ...ifAny(filled, "on the waitlist, with answers to be filled in"),
    ...ifAny(keptOut, "not to be added: their address gets no email, or they had left"),
    ...ifAny(undated, "have no date of joining: they will have joined today"),
    ...first.map(({ line, text }) => `  line ${line}: ${text}`),
    ...(leftOut > first.length ? [`  and ${leftOut - first.length} more rows left out`] : []),
  ];
}

function ifAny(count: number, text: string): string[] {
  return count > 0 ? [`${count} ${text}`] : [];
}
