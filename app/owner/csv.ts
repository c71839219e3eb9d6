/**
 * CSV lines (RFC 4180) with every cell quoted.
 *
 * A spreadsheet that expects another separator than the file's takes quotes inside a line as text, so it splits a cell
 * such as `x;=1+1` and runs the formula. {@link escapeFormulas} therefore looks behind every separator, not only at the
 * start of a cell.
 */

type Cell = string | number | boolean | null;

/** What a spreadsheet may expect between two cells. */
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
  return typeof cell === "string" ? cell.replace(beforeFormula, "'") : cell;
}

/** The text that {@link escapeFormulas} was given. */
export function unescapeFormulas(text: string): string {
  return text.replace(escapedFormula, "");
}

/**
 * At the start of a text or after a separator: white space, quotes or apostrophes, then the sign that begins a formula, in
 * its full-width form too, which Japanese and Chinese spreadsheets accept.
 */
const beforeFormula = /(?<=^|[,;\t\r\n])(?=[\s\p{Cc}"']*[=+\-@＝＋－＠])/gu;
const escapedFormula = /(?<=^|[,;\t\r\n])'(?=[\s\p{Cc}"']*[=+\-@＝＋－＠])/gu;

/** The byte order mark that makes Excel read a file as UTF-8. */
export const CSV_BOM = "\ufeff";
