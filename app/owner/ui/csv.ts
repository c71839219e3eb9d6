/**
 * CSV lines (RFC 4180) with every cell quoted.
 *
 * A spreadsheet that expects another separator than the file's takes quotes inside a line as text, so it splits a cell
 * such as `x;=1+1` and runs the formula. {@link escapeFormulas} therefore looks behind every separator, not only at the
 * start of a cell.
 */

type Cell = string | number | boolean | null;

export type Separator = "," | ";" | "\t";

/** One line including its CRLF. `null` becomes an empty cell. */
export function csvLine(cells: Cell[], separator: Separator = ","): string {
  return `${cells.map((cell) => `"${String(cell ?? "").replaceAll('"', '""')}"`).join(separator)}\r\n`;
}

/**
 * Puts an apostrophe before text that a spreadsheet could read as a formula, as OWASP recommends
 * (https://owasp.org/www-community/attacks/CSV_Injection). {@link unescapeFormulas} removes exactly these.
 */
export function escapeFormulas<T extends Cell>(cell: T): T | string {
  if (typeof cell !== "string") return cell;
  let [escaped, end] = ["", 0];
  for (const start of formulaStarts(cell)) {
    escaped += `${cell.slice(end, start)}'`;
    end = start;
  }
  return escaped + cell.slice(end);
}

export function unescapeFormulas(text: string): string {
  let [unescaped, end] = ["", 0];
  for (const start of formulaStarts(text)) {
    if (text[start] !== "'") continue;
    unescaped += text.slice(end, start);
    end = start + 1;
  }
  return unescaped + text.slice(end);
}

/** The signs that begin a formula, in their full-width form too, which Japanese and Chinese spreadsheets accept. */
const sign = /[=+\-@＝＋－＠]/g;

/** What may stand before such a sign. */
const ignored = /[\s\p{Cc}"']/u;

const separator = /[,;\t\r\n]/;

/**
 * The places, at the start of a text or after a separator, from which only ignored characters lead to the sign of a
 * formula. Looks back from each sign, so that the time grows with the length of the text only.
 */
function formulaStarts(text: string): number[] {
  const starts: number[] = [];
  for (const { index } of text.matchAll(sign)) {
    let from = index;
    while (from > 0 && ignored.test(text.charAt(from - 1))) from -= 1;
    for (let at = from; at <= index; at += 1) {
      if (at === 0 || separator.test(text.charAt(at - 1))) starts.push(at);
    }
  }
  return starts;
}

/** The byte order mark that makes Excel read a file as UTF-8. */
export const CSV_BOM = "\ufeff";

/** Rows of one query of a download: a few hundred kilobytes. */
export const CSV_PAGE = 2_000;

/** @public A file as CSV with a page of {@link CSV_PAGE} rows in memory at a time. @param readAfter reads the page after a row */
export async function* pagedCsv<Row>(
  columns: string[],
  readAfter: (last: Row | undefined) => PromiseLike<Row[]>,
  cells: (row: Row) => Cell[],
): AsyncGenerator<string> {
  yield CSV_BOM + csvLine(columns);
  for (let last: Row | undefined; ; ) {
    const page = await readAfter(last);
    if (page.length > 0) yield page.map((row) => csvLine(cells(row).map(escapeFormulas))).join("");
    if (page.length < CSV_PAGE) return;
    last = page.at(-1);
  }
}
