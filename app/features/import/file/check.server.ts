import { countListed, type ImportedEntry } from "#app/features/import/add-imported.server.ts";
import type { FieldName } from "#app/features/import/file/fields.ts";
import type { RowProblem, RowProblemCode } from "#app/features/import/file/problems.ts";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import {
  type ImportSettings,
  type RowContext,
  toEntry,
  type UnknownWord,
  wordKey,
} from "#app/features/import/file/to-entry.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export interface ImportReport {
  rows: number;
  /** People without a problem, duplicates left out. */
  ready: number;
  /** How many of them are on the list, or have unsubscribed: they stay as they are. */
  listed: number;
  /** How many of them get no email: those who unsubscribed, whose address bounced and who complained. */
  unsubscribed: number;
  bounced: number;
  complained: number;
  /** How many of them have no date of joining or consent, so that they join with the import. */
  undated: number;
  leftOut: number;
  problems: Partial<Record<RowProblemCode, number>>;
  /** The first {@link MAX_LISTED} problems. */
  first: RowProblem[];
  /** Words that this site does not know, in columns whose values are known, with how often they occur. Absent once they are settled. */
  words?: { [Field in FieldName]?: Record<string, number> };
  /** Dates that can be read in two ways, if nothing in the file says which is right. */
  ambiguousDates: number;
}

/** How many problems are listed; all of them can be downloaded. */
const MAX_LISTED = 100;

/** How many words of a column are listed. With more it holds something else. */
const MAX_WORDS = 50;

/** Addresses that one statement looks up: at most 254 characters each, of the 2 MB that D1 takes. */
const LOOKED_UP = 5_000;

interface Checked {
  report: ImportReport;
  /** Those given, with the order of day and month that the file's dates show. */
  settings: ImportSettings;
}

/** Checks every row and writes nothing. @param read reads the file's rows from the beginning */
export async function checkRows(
  db: Db,
  read: () => AsyncIterable<CsvRow[]>,
  { settings, now }: RowContext,
): Promise<Checked> {
  const { report, orders } = await checkOnce(db, read(), { settings, now });
  if (settings.monthFirst !== null) return { report, settings };
  const { "day-first": dayFirst, "month-first": monthFirst, either } = orders;
  if (dayFirst === 0 && monthFirst === 0) return { report: { ...report, ambiguousDates: either }, settings };
  const decided = { ...settings, monthFirst: monthFirst > dayFirst };
  // Until now the dates were read with the day first.
  if (!decided.monthFirst) return { report, settings: decided };
  return { report: (await checkOnce(db, read(), { settings: decided, now })).report, settings: decided };
}

async function checkOnce(db: Db, portions: AsyncIterable<CsvRow[]>, context: RowContext) {
  const report: ImportReport = {
    rows: 0,
    ready: 0,
    listed: 0,
    unsubscribed: 0,
    bounced: 0,
    complained: 0,
    undated: 0,
    leftOut: 0,
    problems: {},
    first: [],
    ambiguousDates: 0,
  };
  const orders = { "day-first": 0, "month-first": 0, either: 0 };
  let emails: string[] = [];
  for await (const { entry, problems, unknown, dateOrders } of checkedRows(portions, context)) {
    report.rows += 1;
    for (const order of dateOrders) orders[order] += 1;
    for (const word of unknown) countWord(report, word);
    if (entry !== null) {
      countPerson(report, entry, context.now);
      emails.push(entry.email);
      if (emails.length < LOOKED_UP) continue;
      report.listed += await countListed(db, emails);
      emails = [];
      continue;
    }
    report.leftOut += 1;
    for (const problem of problems) {
      report.problems[problem.code] = (report.problems[problem.code] ?? 0) + 1;
      if (report.first.length < MAX_LISTED) report.first.push(problem);
    }
  }
  if (emails.length > 0) report.listed += await countListed(db, emails);
  return { report, orders };
}

function countPerson(report: ImportReport, entry: ImportedEntry, now: EpochMillis): void {
  report.ready += 1;
  if (entry.created_at === now) report.undated += 1;
  if (entry.status === "active") return;
  report.unsubscribed += 1;
  if (entry.unsubscribe_reason === "bounce") report.bounced += 1;
  if (entry.unsubscribe_reason === "complaint") report.complained += 1;
}

function countWord(report: ImportReport, { field, text }: UnknownWord): void {
  // Without a prototype, because a file may have the word `constructor`.
  const words: Record<string, number> = report.words?.[field] ?? Object.create(null);
  const key = wordKey(text);
  if (Object.hasOwn(words, key) || Object.keys(words).length < MAX_WORDS) words[key] = (words[key] ?? 0) + 1;
  report.words = { ...report.words, [field]: words };
}

/** Yields each row's entry or its problems. Of several rows with one address, only the first is an entry. */
export async function* checkedRows(portions: AsyncIterable<CsvRow[]> | CsvRow[][], context: RowContext) {
  const lines = new Map<string, number>();
  for await (const rows of portions) {
    for (const row of rows) {
      const checked = toEntry(row, context);
      const first = checked.entry === null ? undefined : lines.get(checked.entry.email);
      if (first !== undefined) {
        const duplicate: RowProblem = { line: row[0], code: "duplicate", first };
        yield { ...checked, row, entry: null, problems: [duplicate] };
        continue;
      }
      if (checked.entry !== null) lines.set(checked.entry.email, row[0]);
      yield { row, ...checked };
    }
  }
}
