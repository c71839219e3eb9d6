import { hash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import * as v from "valibot";
import { checkRows, type ImportReport } from "#app/features/import/file/check.server.ts";
import { fieldLabels, guessMapping } from "#app/features/import/file/fields.ts";
import { problemText } from "#app/features/import/file/problems.ts";
import { readCsv } from "#app/features/import/file/read-csv.server.ts";
import type { ImportSettings } from "#app/features/import/file/to-entry.server.ts";
import { importJobs } from "#app/features/import/import-jobs.server.ts";
import { confirmImport, findImport, findRunning, type Import, saveCheck } from "#app/features/import/imports.server.ts";
import { wordQuestions } from "#app/features/import/open-questions.ts";
import { settingsErrors } from "#app/features/import/read-settings.server.ts";
import { stageImport } from "#app/features/import/stage.server.ts";
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

interface ImportOptions {
  consentDate?: string;
  consentNote?: string;
  confirm?: true;
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
  const digest = hash("sha256", readFileSync(file));
  const running = await findRunning(db, digest);
  if (running !== null) {
    out.write(`Continuing: ${running.added} of ${running.rows} rows have already been added.\n`);
  }
  await addPeople(waitlist, running?.id ?? (await begin(waitlist, options, file, digest)));
}

/** Prints what the columns hold, how many people would be added, and the problems by line; never an address. */
async function check({ db, out }: Waitlist, options: ImportOptions, file: string) {
  const now = Date.now();
  const { columns } = await readCsv(createReadStream(file));
  const given: ImportSettings = {
    mapping: guessMapping(columns),
    consentDate: options.consentDate ?? null,
    note: cleanConsentNote(options.consentNote ?? ""),
    // Of dates without one: this machine's.
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    monthFirst: null,
    welcome: options.welcome === true,
  };
  const read = async function* () {
    yield* (await readCsv(createReadStream(file))).rows;
  };
  const { report, settings } = await checkRows(db, read, { settings: given, now });
  const missing = [
    ...settingsErrors(settings, now).map(({ text }) => text),
    ...(report.ambiguousDates > 0
      ? [`${report.ambiguousDates} dates can be read in two ways, such as 03/04/2026.`]
      : []),
    ...unknownWords(report, true),
  ];
  const meanings = columns.map((name, index) => {
    const field = settings.mapping[index];
    return `${printable(name)}: ${field == null ? "left out" : fieldLabels[field]}`;
  });
  const lines = [...meanings, "", ...describeReport(report), ...unknownWords(report, false), ...missing];
  out.write(`${lines.join("\n")}\n`);
  return { settings, report, now, missing };
}

/**
 * Checks the file, stores its rows and starts an import, which a running site may continue from then on.
 *
 * @returns its id
 * @throws {StepError} when a setting is missing, the file is ambiguous, or there is nobody to add
 */
async function begin(waitlist: Waitlist, options: ImportOptions, file: string, digest: string): Promise<number> {
  const { db } = waitlist;
  const checked = await check(waitlist, options, file);
  const { now, report, missing } = checked;
  if (missing.length > 0) {
    throw new StepError(
      "Something is missing or unclear; see above. Nothing was changed.",
      `Give --consent-date and --consent-note. Correct the headings, words and dates in the file, or import it on the page
/owner/import, where you can say what each of them means.`,
    );
  }
  if (report.ready === 0) throw new StepError("There is no one to import.", "Nothing was changed.");
  const stage = { fileName: basename(file), digest, maxChunks: Number.POSITIVE_INFINITY, now };
  // If this is interrupted, what it has stored is deleted after a day.
  const id = await stageImport(db, createReadStream(file), stage);
  await saveCheck(db, id, checked);
  await confirmImport(db, id, now, now);
  const details = { importId: id, people: report.ready };
  await recordAction({ db, now: Date.now }, { by: COMMAND_LINE, action: "import", details });
  return id;
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
  const { report, added, suppressed } = found;
  const listed = Math.max(0, (report?.ready ?? 0) - added - suppressed);
  out.write(
    `Added ${counted(added, "person", "people")}. Already on the waitlist, unchanged: ${listed}. Not added, because they get no email: ${suppressed}.\n`,
  );
}

/** Words that the site does not know, by field: those that the import waits for, or those that leave a field empty. */
function unknownWords(report: ImportReport, isRequired: boolean): string[] {
  const questions = wordQuestions(report, null).filter((question) => question.isRequired === isRequired);
  return questions.map(({ field, words }) => {
    const list = words.map(({ word, rows }) => `${printable(word)} (${rows})`).join(", ");
    return `${field}: ${isRequired ? "" : "left empty, because these are "}not known: ${list}.`;
  });
}

/** A text of the file without control characters, which could control the terminal. */
function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Cf}]/gu, "") || "-";
}

function describeReport(report: ImportReport): string[] {
  const { rows, ready, listed, unsubscribed, undated, leftOut, problems, first } = report;
  const more = Object.values(problems).reduce((sum, count) => sum + count, 0) - first.length;
  return [
    `${rows} rows: ${ready - listed} to add, ${listed} already there, ${leftOut} left out`,
    ...(unsubscribed > 0 ? [`${unsubscribed} get no email: they unsubscribed, bounced or complained`] : []),
    ...(undated > 0 ? [`${undated} have no date of joining: they will have joined today`] : []),
    ...first.map((problem) => `  line ${problem.line}: ${problemText(problem)}`),
    ...(more > 0 ? [`  and ${more} more problems`] : []),
  ];
}
