/**
 * Lines of a CSV file (RFC 4180), safe to open in a spreadsheet.
 *
 * Every cell is quoted, and one that a spreadsheet could take for a formula begins with an apostrophe, as OWASP advises:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */

type Cell = string | number | boolean | null;

/** One line, with its end. `null` is an empty cell. */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: Cell): string {
  if (value === null) return '""';
  if (typeof value !== "string") return `"${value}"`;
  const text = startsFormula.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

/** The full-width forms count as the others do in Japanese and Chinese spreadsheets; white space before them is skipped. */
const startsFormula = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** What a file begins with, so that Excel reads it as UTF-8. */
export const CSV_START = "\ufeff";
