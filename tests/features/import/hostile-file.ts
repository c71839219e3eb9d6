import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { checkRows } from "#app/features/import/file/check.server.ts";
import { fieldNames, guessMapping } from "#app/features/import/file/fields.ts";
import { type CsvRow, ImportError, readCsv } from "#app/features/import/file/read-csv.server.ts";
import { openAsD1 } from "#scripts/lib/d1-client.ts";

/** Lines below headings, up to about so many bytes. */
const lines = (head: string, line: (index: number) => string) => (size: number) => {
  const all = [head];
  for (let [index, left] = [0, size]; ; index += 1) {
    left -= line(index).length + 1;
    if (left < 0) return all.join("\n");
    all.push(line(index));
  }
};

const gap = (length: number) => `x${" ".repeat(length)}x`;

/** A person with a cell in each of 99 more columns. */
const wide = (cell: (index: number, column: number) => string | number) =>
  lines(`email${",c".repeat(99)}`, (index) => {
    return `p${index}@example.com,${Array.from({ length: 99 }, (_, column) => cell(index, column)).join()}`;
  });

/** Files of about so many bytes. */
export const files: Record<string, (size: number) => string> = {
  people: lines(
    "email,name,joined,status",
    (n) => `p${n}@example.com,"Ada – ${"x".repeat(55)}",2026-02-20,subscribed\r`,
  ),
  "one line": (size) => `email\n${"x".repeat(size)}`,
  "quotation marks in one line": (size) => `email\n${'"x"y'.repeat(size / 4)}`,
  "quotation marks in each line": lines("email", () => '"x"y'),
  "quotation marks in each cell": lines("email,note", (n) => `p${n}@example.com,"${'""x""y'.repeat(200)}"`),
  "90,000 spaces in each row": lines("email,note", (n) => `p${n}@example.com,${" ".repeat(90_000)}`),
  "90,000 spaces between letters": lines("email,note", (n) => `p${n}@example.com,${gap(90_000)}`),
  "spaces in every field": lines(fieldNames().join(), (n) =>
    fieldNames()
      .map((name) => (name === "email" ? `p${n}@example.com` : gap(2_000)))
      .join(),
  ),
  "spaces in each address": lines("email", () => gap(990)),
  "carriage returns": (size) => `email\na@example.com${"\r".repeat(size)}`,
  "empty cells": lines("email", () => ",".repeat(99_000)),
  "100 columns": wide(() => "abcdefg"),
  "2,000 words in each of 100 columns": wide((index, column) => `w${(index * 7 + column) % 2_000}`),
  "10,000 words about email in each of 100 columns": wide((index) => `dnc ${index}`),
};

/** Reads and checks a file without a database. @returns milliseconds of this thread's CPU time */
async function run(bytes: Uint8Array) {
  const nobody = openAsD1(async (statements) => statements.map(() => ({ columns: [], rows: [] })));
  const consent = { consentDate: "2026-10-05", note: "a", welcome: false, unsubscribe: true };
  const result = { read: 0, check: 0, rows: 0, refused: "" };
  parentPort?.postMessage("ready");
  const timed = async <T>(step: "read" | "check", work: () => Promise<T>): Promise<T> => {
    const before = process.threadCpuUsage();
    return work().finally(() => {
      const { user, system } = process.threadCpuUsage(before);
      result[step] = (user + system) / 1_000;
    });
  };
  try {
    const { columns, chunks, rows } = await timed("read", () => readCsv(bytes));
    result.rows = rows;
    const read = async function* () {
      for (const chunk of chunks) yield JSON.parse(chunk) as CsvRow[];
    };
    const settings = { ...consent, mapping: guessMapping(columns), timeZone: "UTC", monthFirst: null };
    const deps = { db: nobody, hashKey: "" };
    await timed("check", () => checkRows(deps, { columns, read }, { settings, now: Date.now() }));
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    result.refused = error.message;
  }
  parentPort?.postMessage(result);
}

if (!isMainThread && workerData?.bytes) await run(workerData.bytes);
