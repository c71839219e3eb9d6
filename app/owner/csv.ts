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

/** The value of an exported cell: without the apostrophe that {@link csvLine} puts before what could be a formula. */
export function plainCell(text: string): string {
  return text.startsWith("'") && formulaStart.test(text.slice(1)) ? text.slice(1) : text;
}

/**
 * Includes the full-width forms that Japanese and Chinese spreadsheets accept. Leading white space is ignored, and
 * apostrophes count as part of the formula, so that {@link plainCell} takes off exactly the one that was added.
 */
const formulaStart = /^(?:['\s]*[=+\-@＝＋－＠]|'*[\t\r\n])/u;

/** The byte order mark that makes Excel read a file as UTF-8. */
export const CSV_BOM = "\ufeff";
