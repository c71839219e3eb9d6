import type { Problem, ProblemCode } from "#app/owner/import/problems.ts";
import type { CsvRow } from "#app/owner/import/read-csv.server.ts";
import { type RowContext, toEntry } from "#app/owner/import/to-entry.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { countListed } from "#app/waitlist/add-imported.server.ts";

/** What an import would do. */
export interface ImportReport {
  rows: number;
  /** People without a problem, duplicates left out. */
  ready: number;
  /** How many of them are on the list, or have unsubscribed: they stay as they are. */
  listed: number;
  /** How many of them count as unsubscribed. */
  unsubscribed: number;
  /** Rows that are left out. */
  leftOut: number;
  /** How often each problem occurs. */
  problems: Partial<Record<ProblemCode, number>>;
  /** The first {@link MAX_LISTED} problems. */
  first: Problem[];
}

/** How many problems are listed; all of them can be downloaded. */
const MAX_LISTED = 100;

/** Addresses that one statement looks up: at most 254 characters each, of the 2 MB that D1 takes. */
const LOOKED_UP = 5_000;

/** Checks every row, and counts who is on the list already. Writes nothing. */
export async function checkRows(db: Db, portions: AsyncIterable<CsvRow[]>, context: RowContext): Promise<ImportReport> {
  const report: ImportReport = { rows: 0, ready: 0, listed: 0, unsubscribed: 0, leftOut: 0, problems: {}, first: [] };
  let emails: string[] = [];
  for await (const { entry, problems } of checkedRows(portions, context)) {
    report.rows += 1;
    if (entry !== null) {
      report.ready += 1;
      if (entry.status === "unsubscribed") report.unsubscribed += 1;
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
  return report;
}

/** Yields each row's entry or its problems. Of several rows with one address, only the first is an entry. */
export async function* checkedRows(portions: AsyncIterable<CsvRow[]> | CsvRow[][], context: RowContext) {
  const lines = new Map<string, number>();
  for await (const rows of portions) {
    for (const row of rows) {
      const checked = toEntry(row, context);
      const first = checked.entry === null ? undefined : lines.get(checked.entry.email);
      if (first !== undefined) {
        const duplicate: Problem = { line: row[0], code: "duplicate", first };
        yield { row, entry: null, problems: [duplicate] };
        continue;
      }
      if (checked.entry !== null) lines.set(checked.entry.email, row[0]);
      yield { row, ...checked };
    }
  }
}
