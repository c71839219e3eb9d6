import { expect, test } from "vitest";
import { MAX_ROWS, readCsv } from "#app/features/import/file/read-csv.server.ts";
import { readWholeCsv as read, utf16 } from "#tests/features/import/import-files.ts";

const people = (line: number) => ["email|note", `${line} a@b.co|likes; this`];
const spaces = " ".repeat(90_000);

/** The headings, then each row with its line. */
test.each<[string, content: string | Uint8Array, expected: string[]]>([
  ["commas", 'email,note\na@b.co,"likes; this"\n', people(2)],
  ["semicolons", 'email;note\r\na@b.co;"likes; this"\r\n', people(2)],
  ["tabs", "email\tnote\na@b.co\tlikes; this", people(2)],
  ["bars and old line ends", "email|note\ra@b.co|likes; this\r", people(2)],
  ["a byte order mark", "\ufeffemail,note\na@b.co,likes; this", people(2)],
  ["UTF-16", utf16("email\tnote\r\na@b.co\tlikes; this\r\n"), people(2)],
  ["UTF-16, big-endian", utf16("email,note\r\na@b.co,likes; this\r\n", false), people(2)],
  ["empty lines", "\nemail,note\n\n,\na@b.co,likes; this\n\n\n", people(5)],
  ["lines above the headings", "Waitlist\n\nMay, 2026\nemail,note\na@b.co,likes; this\n", people(5)],
  ["a line that names its separator", "sep=^\nemail^note\na@b.co^likes; this\n", people(3)],
  ["90,000 spaces", `email,note\na@b.co,${spaces}`, ["email|note", `2 a@b.co|${spaces}`]],
  ["a quotation mark within a cell", 'email,note\na@b.co,5" pots\n', ["email|note", '2 a@b.co|5" pots']],
  ["a heading that every object inherits", "email,__proto__\na@b.co,x\n", ["email|__proto__", "2 a@b.co|x"]],
  ["addresses alone, also pasted ones", "\u200ba@b.co\u00a0\nb@b.co", ["Column 1", "1 \u200ba@b.co\u00a0", "2 b@b.co"]],
  [
    "line breaks in cells",
    'email,x\na@b.co,"1\r\n""2"""\r\n\r\nb@b.co,\n',
    ["email|x", '2 a@b.co|1\n"2"', "5 b@b.co|"],
  ],
  [
    "rows of other lengths",
    "email,x\na@b.co\nb@b.co,x,\nb@b.co,x,y\n",
    ["email|x", "2 a@b.co|", "3 b@b.co|x", "4 b@b.co|x|y"],
  ],
])("a file with %s is read", async (_, content, expected) => {
  const { columns, rows } = await read(content);
  const texts = rows.map(([line, cells]) => `${line} ${cells.join("|")}`);
  expect([columns.join("|"), ...texts]).toEqual(expected);
});

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const notCsv = "This is not a CSV file.";

test.each<[string, string | Uint8Array, string]>([
  ["a picture", bytes("\x89PNG\r\n\x1a\n\0\0\0\r"), notCsv],
  ["a workbook", bytes("PK\x03\x04\x14\0"), "This is a spreadsheet, not a CSV file."],
  ["zero bytes", "email\nada@example.com\0\n", notCsv],
  ["half a character of UTF-16", utf16("email\nada@example.com,\ud83e\n"), notCsv],
  ["another encoding", bytes("email,note\na@example.com,caf\u00e9\n"), "not encoded as UTF-8"],
  ["nothing", "", "The file is empty."],
  ["white space", "\ufeff \n\n , \n", "The file is empty."],
  ["names alone", "email,note\n", "no rows below them"],
  ["101 columns", `${Array.from({ length: 101 }, (_, n) => `c${n}`)}\n`, "more than 100 columns"],
  ["an open quotation mark", `email\n"a@b.example\n${"b@b.example\n".repeat(9_000)}`, "in line 2 has a quotation mark"],
  ["a stray quotation mark", 'email,note\na@b.example,x\nb@b.example,"x"y\n', "in line 3 has a quotation mark"],
  ["a line without an end", `email\na@b.example\n${"x".repeat(300_000)}`, "Line 3 has more than 100,000 characters"],
  ["row 100,001", `email\n${"a@b.example\n".repeat(MAX_ROWS + 1)}`, "more than 100,000 rows"],
])("a file with %s is refused with a sentence", async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test("100,000 rows are read, in chunks of at most 500 KB", async () => {
  const row = `a@b.example,${"é".repeat(300)}\n`;
  const { rows, chunks } = await readCsv(new TextEncoder().encode(`email,note\n${row.repeat(3_000)}`));
  expect([rows, (await read(`email\n${"a@b.example\n".repeat(MAX_ROWS)}`)).rows.length]).toEqual([3_000, MAX_ROWS]);
  expect(Math.max(...chunks.map((chunk) => new Blob([chunk]).size))).toBeLessThanOrEqual(500_002);
});
