import { expect, test } from "vitest";
import { errors } from "#app/features/import/file/import-error.ts";
import { readWholeCsv as read, utf16 } from "#tests/features/import/import-files.ts";

const MAX_ROWS = 100_000;

const people = { columns: ["email", "note"], rows: [[2, ["ada@example.com", "likes; this"]]] };

test.each([
  ["commas", 'email,note\nada@example.com,"likes; this"\n'],
  ["semicolons", 'email;note\r\nada@example.com;"likes; this"\r\n'],
  ["tabs", "email\tnote\nada@example.com\tlikes; this"],
  ["bars and old line ends", "email|note\rada@example.com|likes; this\r"],
  ["a byte order mark", "\ufeffemail,note\nada@example.com,likes; this"],
  ["UTF-16", utf16("email\tnote\r\nada@example.com\tlikes; this\r\n")],
  ["UTF-16, big-endian", utf16("email,note\r\nada@example.com,likes; this\r\n", false)],
  ["empty lines", "\nemail,note\n\n,\nada@example.com,likes; this\n\n\n"],
])("a file with %s is read, in pieces of any size", async (name, content) => {
  const expected = name === "empty lines" ? { ...people, rows: [[5, people.rows[0]?.[1]]] } : people;
  for (const size of [1, 7, 65_536]) expect(await read(content, size), String(size)).toEqual(expected);
});

test.each([";", "^"])("a line that names the delimiter, as Excel writes it for %s, is no row", async (delimiter) => {
  const lines = ["sep=^", "email^note", "ada@example.com^a, b", ""];
  expect(await read(lines.join("\n").replaceAll("^", delimiter))).toEqual({
    columns: ["email", "note"],
    rows: [[3, ["ada@example.com", "a, b"]]],
  });
});

test("a file of addresses alone, also pasted ones, has no line with names", async () => {
  expect(await read("\u200bada@example.com\u00a0\nbob@example.com\n")).toEqual({
    columns: ["Column 1"],
    rows: [
      [1, ["\u200bada@example.com\u00a0"]],
      [2, ["bob@example.com"]],
    ],
  });
});

test("rows know the line they begin in, even with line breaks in their cells", async () => {
  const content = 'email,note\na@example.com,"two\r\nlines, ""quoted"""\r\n\r\nb@example.com,x\n';
  expect((await read(content, 5)).rows).toEqual([
    [2, ["a@example.com", 'two\nlines, "quoted"']],
    [5, ["b@example.com", "x"]],
  ]);
});

test("short rows get their empty cells; rows that are too long, or badly quoted, are problems", async () => {
  const content =
    'email,note,role\na@example.com\nb@example.com,x,host,\nc@example.com,x,host,y\n"d" x,y,z\ne@example.com,,\n';
  expect((await read(content)).rows).toEqual([
    [2, ["a@example.com", "", ""]],
    [3, ["b@example.com", "x", "host"]],
    [4, "columns"],
    [5, "quotes"],
    [6, ["e@example.com", "", ""]],
  ]);
});

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);
const xlsx = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0, 6, 0, 8, 0, 0, 0]);
const latin1 = new Uint8Array(Array.from("email,note\na@example.com,caf\u00e9\n", (letter) => letter.charCodeAt(0)));

test.each<[string, string | Uint8Array, string]>([
  ["a picture", png, errors.notText],
  ["a workbook", xlsx, errors.workbook],
  ["zero bytes", "email\nada@example.com\0\n", errors.notText],
  ["another encoding", latin1, errors.encoding],
  ["an unfinished character", new Uint8Array([0x61, 0x0a, 0x62, 0xc3]), errors.encoding],
  ["nothing", "", errors.empty],
  ["a byte order mark alone", "\ufeff", errors.empty],
  ["white space", " \n\n , \n", errors.empty],
  ["names alone", "email,note\n", errors.noRows],
  ["101 columns", `${Array.from({ length: 101 }, (_, n) => `c${n}`)}\n`, errors.tooManyColumns],
])("a file with %s is refused with a sentence", async (_, content, message) => {
  for (const size of [3, 65_536]) await expect(read(content, size), String(size)).rejects.toThrow(message);
});

test.each([
  ["at the end", 'email,note\na@example.com,"open\n'],
  ["before a long file", `email,note\na@example.com,"open\n${"b@example.com,x\n".repeat(40_000)}`],
])("a quotation mark that is never closed %s is refused with its line", async (_, content) => {
  await expect(read(content)).rejects.toThrow("opened in line 2 is never closed");
});

test("a stray quotation mark spoils only its own line, but not more than 1,000 lines", async () => {
  const broken = (count: number) => `email,note\n${'a@example.com,"x"y\nb@example.com,z\n'.repeat(count)}`;
  const { rows } = await read(broken(1_000));
  expect(rows).toHaveLength(2_000);
  expect(rows.filter(([, cells]) => cells === "quotes")).toHaveLength(1_000);
  expect(rows.at(-1)).toEqual([2_001, ["b@example.com", "z"]]);
  const long = `email,note\n"x"y\n${"b@example.com,z\n".repeat(30_000)}`;
  expect((await read(long)).rows.slice(0, 2)).toEqual([
    [2, "quotes"],
    [3, ["b@example.com", "z"]],
  ]);
  expect((await read(long)).rows).toHaveLength(30_001);
  await expect(read(broken(1_001))).rejects.toThrow(errors.quotes);
});

test("a row of many lines after a stray quotation mark is read whole", async () => {
  const note = `${"line\n".repeat(3_000)}""end""`;
  const content = `email,note\n"x"y\na@example.com,"${note}"\n"x"y\nb@example.com,z\n`;
  for (const size of [1_000, 65_536]) {
    expect((await read(content, size)).rows).toEqual([
      [2, "quotes"],
      [3, ["a@example.com", note.replaceAll('""', '"')]],
      [3_004, "quotes"],
      [3_005, ["b@example.com", "z"]],
    ]);
  }
});

test("a line without an end is refused", async () => {
  await expect(read(`email\n${"x".repeat(300_000)}`)).rejects.toThrow("Line 2 has more than 100,000 characters");
});

test("row 100,001 is refused", async () => {
  expect((await read(`email\n${"a@b.example\n".repeat(MAX_ROWS)}`)).rows).toHaveLength(MAX_ROWS);
  await expect(read(`email\n${"a@b.example\n".repeat(MAX_ROWS + 1)}`)).rejects.toThrow(errors.tooManyRows);
});
