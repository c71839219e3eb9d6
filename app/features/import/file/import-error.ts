/** The file cannot be imported. The message says why, in sentences for the owner; nothing was stored. */
export class ImportError extends Error {
  override name = "ImportError";
}

/** Bytes. */
export const MAX_FILE_SIZE = 25 * 1_048_576;

export const MAX_ROWS = 100_000;

export const MAX_COLUMNS = 100;

/** Characters in one row, including its quotation marks. */
export const MAX_ROW_LENGTH = 100_000;

export const errors = {
  empty: "The file is empty.",
  noRows: "The file has a header row, but no rows below it.",
  notText: "This is not a CSV file. Save the list as CSV (comma-separated values) and try again.",
  workbook: "This is a spreadsheet, not a CSV file. Open it, save it as “CSV UTF-8”, and try again.",
  encoding: "The file is not encoded as UTF-8. Save it as “CSV UTF-8” and try again.",
  tooLarge: `The file is larger than ${MAX_FILE_SIZE / 1_048_576} MB. Split it, and import the parts one after the other.`,
  tooManyRows: `The file has more than ${MAX_ROWS.toLocaleString("en-GB")} rows. Split it, and import the parts one after the other.`,
  tooManyColumns: `The file has more than ${MAX_COLUMNS} columns. Delete those you do not need, and try again.`,
  tooManyChunks:
    "The file is too large for this site. Split it, and import the parts one after the other.\nAdvanced: the free Workers plan takes no more here. Use the command line: npm run owner -- import FILE --remote",
  quotes: "Too many rows have quotation marks inside a cell that are not doubled. Save the list as “CSV UTF-8” again.",
  interrupted: "The upload was interrupted, or is not a file. Choose the file again.",
};

export function unclosedQuote(line: number): string {
  return `The quotation mark that is opened in line ${line} is never closed. Close it, and try again.`;
}

export function rowTooLong(line: number): string {
  return `Line ${line} has more than ${MAX_ROW_LENGTH.toLocaleString("en-GB")} characters. This may not be a list of people.`;
}
