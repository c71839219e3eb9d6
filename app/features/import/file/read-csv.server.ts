import type { ParseStepResult } from "papaparse";
import { guessMapping } from "#app/features/import/file/fields.ts";
import { normaliseEmail } from "#app/server/email-address.ts";

/** The file cannot be imported. The message says why, in sentences for the owner; nothing was stored. */
export class ImportError extends Error {}

/** Bytes. A Worker has 128 MB for all requests of an isolate, sign-ups too. The command line takes larger files. */
export const MAX_UPLOAD_SIZE = 10_000_000;

export const MAX_ROWS = 100_000;
const MAX_COLUMNS = 100;
/** Characters, and more than a row may have. */
const PORTION = 200_000;

/**
 * As entries, with their hashes and notes, the rows of a chunk must fit into a string of 2 MB (bytes).
 * https://developers.cloudflare.com/d1/platform/limits/
 */
const CHUNK_BYTES = 500_000;

/** Few enough for one batch of D1 statements to insert, with their emails, in well under a second. */
const CHUNK_ROWS = 1_000;

export const separators = { ",": "Commas", ";": "Semicolons", "\t": "Tabs", "|": "Vertical bars" } as const;

export type Separator = keyof typeof separators;

/** The number of the line that a row begins in, and its cells: more than columns if it was split at the wrong places. */
export type CsvRow = readonly [line: number, cells: string[]];

export interface CsvFile {
  columns: string[];
  rows: number;
  /** The rows as JSON, in arrays of at most {@link CHUNK_ROWS} and {@link CHUNK_BYTES}. Empty rows are left out. */
  chunks: string[];
}

/**
 * Reads a CSV file: UTF-8, or UTF-16 with a byte order mark, as Excel saves "Unicode text". Lines above the headings
 * are left out. If the first row holds an address, there are no headings, and columns are numbered.
 *
 * @param file is changed: see {@link withPlainLineEnds}
 * @param separator found out from the first rows if it is not given
 * @throws {ImportError}
 */
export async function readCsv(file: Uint8Array, separator?: Separator): Promise<CsvFile> {
  // On demand: only an upload needs it.
  const { default: papa } = await import("papaparse");
  const text = decode(file);
  // Excel may write the separator into a line of its own.
  const named = /^sep=(.)\n/.exec(text.slice(0, 10));
  const content = text.slice(named?.[0].length ?? 0);
  const preview = papa.parse<string[]>(content.slice(0, PORTION), {
    preview: 20,
    skipEmptyLines: "greedy",
    newline: "\n",
    delimiter: separator ?? named?.[1] ?? "",
    delimitersToGuess: Object.keys(separators),
  });
  const { columns, skipped } = headOf(preview.data.map((row) => row.map((cell) => cell.trim())));
  const chunks: string[] = [];
  let chunk: string[] = [];
  let size = 0;
  const endChunk = () => {
    if (chunk.length > 0) chunks.push(`[${chunk.join(",")}]`);
    [chunk, size] = [[], 0];
  };
  const addRow = (row: CsvRow) => {
    const json = JSON.stringify(row);
    const bytes = encoder.encode(json).byteLength + 1;
    if (chunk.length === CHUNK_ROWS || size + bytes > CHUNK_BYTES) endChunk();
    chunk.push(json);
    size += bytes;
  };
  let rows = -skipped;
  let line = named === null ? 1 : 2;
  const take = ({ data: cells, errors }: ParseStepResult<string[]>) => {
    if (errors.length > 0) throw new ImportError(strayQuote(line));
    const isFilled = cells.some((cell) => cell.trim() !== "");
    if (isFilled) rows += 1;
    if (rows > MAX_ROWS) throw new ImportError(TOO_MANY_ROWS);
    if (isFilled && rows > 0) addRow([line, withWidth(cells, columns.length)]);
    line += cells.reduce((lines, cell) => lines + cell.split("\n").length - 1, 1);
  };
  // In portions, so that memory does not hold all rows, and a row without an end is refused early.
  for (let at = 0; at < content.length; ) {
    const portion = content.slice(at, at + PORTION);
    const isLast = at + portion.length === content.length;
    let [from, last]: [number, ParseStepResult<string[]> | null] = [0, null];
    const step = (row: ParseStepResult<string[]>) => {
      if (last !== null) take(last);
      // It may go on in the next portion.
      from = last?.meta.cursor ?? 0;
      last = row;
    };
    papa.parse<string[]>(portion, { delimiter: preview.meta.delimiter, newline: "\n", step });
    if (isLast && last !== null) take(last);
    if (!isLast && from === 0)
      throw new ImportError(`Line ${line} has more than 100,000 characters. This may not be a list of people.`);
    at += isLast ? portion.length : from;
  }
  if (rows <= 0) throw new ImportError("The file has column names, but no rows below them.");
  endChunk();
  return { columns, rows, chunks };
}

const TOO_MANY_ROWS = "The file has more than 100,000 rows. Split it, and import the parts one after the other.";

const strayQuote = (line: number) =>
  `The row in line ${line} has a quotation mark that is never closed, or is not doubled inside a cell. ` +
  "Correct it there, and try again.";

/**
 * The headings are in the first row that names a column of addresses; without one, below lines with a single cell.
 * `skipped` counts them and the filled rows above.
 */
function headOf(rows: string[][]): { columns: string[]; skipped: number } {
  const [first] = rows;
  if (first === undefined) throw new ImportError("The file is empty.");
  const people = rows.findIndex((row) => row.some((cell) => normaliseEmail(cell) !== null));
  const above = people === -1 ? rows : rows.slice(0, people);
  const named = above.findIndex((row) => guessMapping(row.slice(0, MAX_COLUMNS)).includes("email"));
  const hasCells = (row: string[]) => row.filter((cell) => cell !== "").length > 1;
  const heading = named === -1 ? above.findIndex((row, index) => hasCells(row) || index === above.length - 1) : named;
  const columns = above[heading] ?? first.map((_, index) => `Column ${index + 1}`);
  if (columns.length <= MAX_COLUMNS) return { columns, skipped: heading + 1 };
  throw new ImportError(`The file has more than ${MAX_COLUMNS} columns. Delete those you do not need, and try again.`);
}

/** The cells of a row with the empty ones that it lacks, and without empty ones at its end. */
function withWidth(cells: string[], width: number): string[] {
  const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
  return Array.from({ length: Math.max(width, filled) }, (_, index) => cells[index] ?? "");
}

const encoder = new TextEncoder();

function decode(bytes: Uint8Array): string {
  const [a, b, c, d] = bytes;
  // The signature of ZIP files, which workbooks are.
  if (a === 0x50 && b === 0x4b && c === 0x03 && d === 0x04)
    throw new ImportError("This is a spreadsheet, not a CSV file. Open it, save it as “CSV UTF-8”, and try again.");
  const encoding = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const utf8 = encoding === "utf-8" ? bytes : encoder.encode(decoder.decode(bytes));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(withPlainLineEnds(utf8));
    if (!text.includes("\0")) return text;
  } catch {
    if (!bytes.subarray(0, 1_000).includes(0))
      throw new ImportError("The file is not encoded as UTF-8. Save it as “CSV UTF-8” and try again.");
  }
  throw new ImportError("This is not a CSV file. Save the list as CSV (comma-separated values) and try again.");
}

/** With `\n` for the line ends of Windows and old Macs. In place: in a text, each takes some 40 bytes to replace. */
function withPlainLineEnds(bytes: Uint8Array): Uint8Array {
  let [length, previous] = [0, 0];
  for (const byte of bytes) {
    if (byte !== LINE_FEED || previous !== RETURN) {
      bytes[length] = byte === RETURN ? LINE_FEED : byte;
      length += 1;
    }
    previous = byte;
  }
  return bytes.subarray(0, length);
}

const [LINE_FEED, RETURN] = [10, 13];
