/**
 * CSV lines (RFC 4180) that are safe to open in a spreadsheet.
 *
 * Every cell is quoted. Cells that could be read as formulas start with an apostrophe, as OWASP recommends:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */

type Cell = string | number | boolean | null;

/** One line including its CRLF. `null` becomes an empty cell. */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: Cell): string {
  if (value === null) return '""';
  if (typeof value !== "string") return `"${value}"`;
  const text = formulaStart.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

/** Includes the full-width forms that Japanese and Chinese spreadsheets accept. Leading white space is ignored. */
const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** The byte order mark that makes Excel read a file as UTF-8. */
export const CSV_BOM = "\ufeff";
