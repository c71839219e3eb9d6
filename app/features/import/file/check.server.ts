import { fileStatuses, strictest } from "#app/features/import/file/email-status.ts";
import { type Foreseen, foresee, type Person } from "#app/features/import/file/foresee.server.ts";
import { countWord, wordsToAsk } from "#app/features/import/file/questions.ts";
import type { CsvRow } from "#app/features/import/file/read-csv.server.ts";
import { type ImportSettings, ownValue, type RowContext, toEntry } from "#app/features/import/file/to-entry.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { presentAnswers } from "#app/waitlist/questions/questions.server.ts";

/** What an import would do. Stored with it. */
export interface ImportReport extends Foreseen {
  rows: number;
  /** Different people in them. */
  people: number;
  leftOut: number;
  /** The rows that are left out, by the first reason of each. */
  problems: Record<string, number>;
  /** The first {@link MAX_LISTED} of them. */
  first: { line: number; text: string }[];
  /** Words that the owner is asked about: by the column's index and `wordKey`, with how often they occur. */
  words?: Record<string, Record<string, number>>;
  /** Dates that can be read in two ways, if nothing in the file says which is right. */
  ambiguousDates: number;
}

/** How many rows are listed that are left out; all of them can be downloaded. */
const MAX_LISTED = 100;

interface File {
  columns: readonly string[];
  /** Reads the rows from the beginning. */
  read: () => AsyncIterable<CsvRow[]>;
}

/** Checks every row and writes nothing. @param deps without a hash key, addresses that get no email are not foreseen */
export async function checkRows(
  deps: { db: Db; hashKey: string },
  file: File,
  { settings, now }: RowContext,
): Promise<{ report: ImportReport; settings: ImportSettings }> {
  let found = await readRows(file, { settings, now });
  const { "day-first": dayFirst, "month-first": monthFirst, either } = found.orders;
  const isOpen = settings.monthFirst === null && dayFirst === 0 && monthFirst === 0;
  const decided = { ...settings, monthFirst: isOpen ? null : (settings.monthFirst ?? monthFirst > dayFirst) };
  // Until the order is known, dates are read with the day first.
  const isReversed = settings.monthFirst === null && decided.monthFirst === true;
  if (isReversed) found = await readRows(file, { settings: decided, now });
  // Nothing is said of columns that are not asked about any more.
  const words = Object.entries(settings.words ?? {}).filter(([column]) => ownValue(found.report.words, column));
  decided.words = Object.fromEntries(words);
  const isStale = words.length < Object.keys(settings.words ?? {}).length;
  if (isStale) found = await readRows(file, { settings: decided, now });
  const { people, report, later, repeats } = found;
  const foreseen = await foresee(deps, people, settings, now);
  return {
    report: { ...report, ...foreseen, ambiguousDates: isOpen ? either : 0 },
    settings: { ...decided, later, repeats },
  };
}

async function readRows({ columns, read }: File, context: RowContext) {
  const orders = { "day-first": 0, "month-first": 0, either: 0 };
  const counts = columns.map(() => new Map<string, number>());
  const problems: Record<string, number> = {};
  const first: ImportReport["first"] = [];
  const people = new Map<string, Person>();
  const later: Record<string, number> = {};
  const repeated: number[] = [];
  let [rows, leftOut] = [0, 0];
  for await (const { row, entry, repeats, ...checked } of checkedRows(read(), context)) {
    rows += 1;
    for (const order of checked.dateOrders) orders[order] += 1;
    for (const { column, text } of checked.words) countWord(counts[column] ?? new Map(), text);
    if (entry !== null) {
      const known = people.get(entry.email);
      const status = strictest([known?.status ?? "active", checked.status]);
      if (repeats !== null && status !== known?.status) later[repeats] = fileStatuses.indexOf(status);
      if (repeats !== null) repeated.push(row[0]);
      people.set(entry.email, {
        status,
        isUndated: known?.isUndated ?? entry.created_at === context.now,
        answered: known?.answered ?? (context.settings.fill ? Object.keys(presentAnswers(entry.answers)) : []),
      });
    }
    const [problem] = checked.problems;
    if (problem === undefined) continue;
    leftOut += 1;
    problems[problem] = (problems[problem] ?? 0) + 1;
    if (first.length < MAX_LISTED) first.push({ line: row[0], text: checked.why });
  }
  const asked = counts.flatMap((counted, column) => {
    const words = wordsToAsk(counted, columns[column] ?? "", context.settings.mapping[column] ?? null);
    return words.length > 0 ? [[column, Object.fromEntries(words)]] : [];
  });
  const words = asked.length > 0 ? { words: Object.fromEntries(asked) } : {};
  return {
    orders,
    people,
    later,
    repeats: repeated,
    report: { rows, people: people.size, leftOut, problems, first, ...words },
  };
}

/** Yields each row's entry or problems. Of several rows with one address the first is added: `repeats` is its line. */
export async function* checkedRows(portions: AsyncIterable<CsvRow[]> | CsvRow[][], context: RowContext) {
  const lines = new Map<string, number>();
  for await (const rows of portions) {
    for (const row of rows) {
      const { problems, ...checked } = toEntry(row, context);
      const repeats = checked.entry === null ? null : (lines.get(checked.entry.email) ?? null);
      if (checked.entry !== null && repeats === null) lines.set(checked.entry.email, row[0]);
      const repeated = "The same address as in an earlier line";
      const why = repeats === null ? problems.join("; ") : `${repeated} (line ${repeats})`;
      yield { row, ...checked, repeats, why, problems: repeats === null ? problems : [repeated] };
    }
  }
}
