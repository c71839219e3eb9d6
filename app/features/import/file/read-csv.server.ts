import type Papa from "papaparse";
import { decode } from "#app/features/import/file/decode.server.ts";
import {
  errors,
  ImportError,
  MAX_COLUMNS,
  MAX_ROW_LENGTH,
  MAX_ROWS,
  rowTooLong,
  unclosedQuote,
} from "#app/features/import/file/import-error.ts";
import { normaliseEmail } from "#app/server/email-address.ts";

/** The number of the line that a row begins in, and its cells, or why they cannot be told apart. */
export type CsvRow = readonly [line: number, cells: string[] | "quotes" | "columns"];

interface CsvFile {
  columns: string[];
  /** The rows below the names, in portions of one piece of the file. Empty rows are left out. */
  rows: AsyncIterable<CsvRow[]>;
}

/**
 * Reads a CSV file piece by piece, so that memory does not grow with its length. Finds out the delimiter (comma,
 * semicolon, tab or bar). A file whose first line holds an address has no line with names: its columns are numbered.
 *
 * @throws {ImportError} here, or from the rows
 */
export async function readCsv(bytes: AsyncIterable<Uint8Array>): Promise<CsvFile> {
  const portions = parse(bytes);
  try {
    return await readFirstLine(portions);
  } catch (error) {
    // Leaves the rest of the file.
    await portions.return(undefined);
    throw error;
  }
}

async function readFirstLine(portions: AsyncGenerator<CsvRow[]>): Promise<CsvFile> {
  for (;;) {
    const { done, value } = await portions.next();
    if (done) throw new ImportError(errors.empty);
    const [first, ...rest] = value;
    if (first === undefined) continue;
    const names = cellsOf(first);
    if (names.length > MAX_COLUMNS) throw new ImportError(errors.tooManyColumns);
    const hasNames = !names.some((name) => normaliseEmail(name) !== null);
    const columns = hasNames ? names.map((name) => name.trim()) : names.map((_, index) => `Column ${index + 1}`);
    return { columns, rows: checkedRows(columns.length, hasNames ? rest : value, portions) };
  }
}

async function* checkedRows(width: number, first: CsvRow[], rest: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow[]> {
  let count = 0;
  const take = (rows: CsvRow[]) => {
    count += rows.length;
    if (count > MAX_ROWS) throw new ImportError(errors.tooManyRows);
    return rows.map((row) => withWidth(row, width));
  };
  yield take(first);
  for await (const rows of rest) yield take(rows);
  if (count === 0) throw new ImportError(errors.noRows);
}

/** A row that is longer than the first line was split at the wrong places; a shorter one lacks its empty cells. */
function withWidth([line, cells]: CsvRow, width: number): CsvRow {
  if (typeof cells === "string" || cells.length === width) return [line, cells];
  if (cells.slice(width).some((cell) => cell.trim() !== "")) return [line, "columns"];
  return [line, Array.from({ length: width }, (_, index) => cells[index] ?? "")];
}

function cellsOf([line, cells]: CsvRow): string[] {
  if (typeof cells === "string") throw new ImportError(unclosedQuote(line));
  return cells;
}

interface Position {
  line: number;
  delimiter: string;
  /** How many rows have a stray quotation mark. */
  broken: number;
  /** How many characters have to be parsed again, because a row after a broken one was longer than expected. */
  wasted: number;
  /** Characters to parse next, up to the end of a line: few after a broken row, then twice as many each time. */
  ahead: number;
}

async function* parse(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow[]> {
  // On demand: only an upload needs it.
  const { default: papa } = await import("papaparse");
  let position: Position | null = null;
  let text = "";
  for await (const piece of withPlainLineEnds(decode(bytes))) {
    text += piece;
    // Enough to find out the delimiter.
    if (position === null && text.length < MAX_ROW_LENGTH) continue;
    position ??= startOf(text);
    for (;;) {
      const { rows, parsed } = parseRows(papa, text, position, false);
      yield rows;
      text = text.slice(parsed);
      if (text.length <= MAX_ROW_LENGTH * 2) break;
      // A row that does not end: by its first line alone, it is one with a stray quotation mark or a reason to stop.
      const end = endOfLine(text, 0);
      yield parseRows(papa, text.slice(0, end), position, true).rows;
      text = text.slice(end);
    }
  }
  if (text === "") return;
  yield parseRows(papa, text, position ?? startOf(text), true).rows;
}

/** Excel may write the delimiter into a line of its own. */
const NAMED_DELIMITER = /^sep=(.)\n/;

/** The delimiter is the one that the first line has most often outside of quotation marks. */
function startOf(text: string): Position {
  const named = NAMED_DELIMITER.exec(text)?.[1];
  if (named !== undefined) return { line: 1, delimiter: named, broken: 0, wasted: 0, ahead: Number.POSITIVE_INFINITY };
  const first = text
    .slice(0, MAX_ROW_LENGTH)
    .replace(/"(?:[^"]|"")*"/g, "x")
    .split("\n")
    .find((line) => /[^\s,;|]/.test(line));
  const counts = [",", ";", "\t", "|"].map((delimiter) => ({ delimiter, count: first?.split(delimiter).length ?? 0 }));
  const [most] = counts.toSorted((a, b) => b.count - a.count);
  return { line: 1, delimiter: most?.delimiter ?? ",", broken: 0, wasted: 0, ahead: Number.POSITIVE_INFINITY };
}

interface Step {
  data: string[][];
  errors: { code: string }[];
  meta: { cursor: number };
}

/**
 * Parses all complete rows, or with `isEnd` all rows.
 *
 * @param position advances by the lines parsed
 * @returns the rows, and how many characters they have
 */
function parseRows(
  papa: typeof Papa,
  text: string,
  position: Position,
  isEnd: boolean,
): { rows: CsvRow[]; parsed: number } {
  const rows: CsvRow[] = [];
  // A line without its end may continue in the next piece of the file.
  const complete = isEnd ? text.length : text.lastIndexOf("\n") + 1;
  let parsed = 0;
  for (let from = 0; from < complete; ) {
    const start = parsed;
    const until = Math.min(endOfLine(text, Math.max(from, start + position.ahead - 1)), complete);
    let broken = false;
    const step = ({ data: [cells = []], errors: problems, meta: { cursor } }: Step) => {
      const { line } = position;
      if (problems[0]?.code === "MissingQuotes") {
        if (isEnd && until === complete) throw new ImportError(unclosedQuote(line));
        if (until < complete) position.wasted += until - parsed;
        return;
      }
      broken = problems.length > 0;
      const end = broken ? endOfLine(text, parsed) : start + cursor;
      if (end - parsed > MAX_ROW_LENGTH) throw new ImportError(rowTooLong(line));
      const isNamedDelimiter = parsed === 0 && line === 1 && NAMED_DELIMITER.test(text);
      position.line += countLines(text, parsed, end);
      parsed = end;
      if (broken) {
        rows.push([line, "quotes"]);
        parser.abort();
      } else if (!isNamedDelimiter && cells.some((cell) => cell.trim() !== "")) rows.push([line, cells]);
    };
    // The parser that `Papa.parse` uses for each piece of a stream. A stray quotation mark makes it take the lines up to
    // the next one for one row: it starts again below the first of them. To take them again and again would make its time
    // grow with the square of the text, so what it takes grows from a line.
    const config = { delimiter: position.delimiter, newline: "\n", step } as unknown as Papa.ParseConfig;
    const parser = new papa.Parser(config);
    parser.parse(text.slice(start, until), 0, false);
    if (broken) position.broken += 1;
    if (position.broken > MAX_BROKEN_ROWS || position.wasted > MAX_WASTED) throw new ImportError(errors.quotes);
    position.ahead = broken ? 1 : position.ahead * 2;
    // A row that is not complete yet continues after its last line.
    from = broken ? parsed : until;
  }
  return { rows, parsed };
}

/** Each costs time to find the next row. */
const MAX_BROKEN_ROWS = 1_000;

/** Characters: about a second of parsing. */
const MAX_WASTED = 5_000_000;

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end + 1;
}

function countLines(text: string, from: number, until: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < until; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** Turns the line ends of Windows and of old Macs into `\n`. */
async function* withPlainLineEnds(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  for await (const piece of pieces) {
    const text = held + piece;
    // Its other half may follow.
    held = text.endsWith("\r") ? "\r" : "";
    yield text.slice(0, text.length - held.length).replace(/\r\n?/g, "\n");
  }
  if (held !== "") yield "\n";
}
