import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, escapeFormulas, unescapeFormulas } from "#app/owner/ui/csv.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";

const separators = [",", ";", "\t"] as const;

test("writes an RFC 4180 line with every cell quoted and quotes doubled", () => {
  const cells = [1, "ada@example.com", "", null, true, 'a "b", c\r\nd', "é", -1];
  expect(csvLine(cells)).toBe('"1","ada@example.com","","","true","a ""b"", c\r\nd","é","-1"\r\n');
  expect(csvLine(["a", "b;c"], ";")).toBe('"a";"b;c"\r\n');
  expect(csvLine(["a", "b\tc"], "\t")).toBe('"a"\t"b\tc"\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "＝1+1", "＠A1", "\u00a0=1", '"=1', "'=1"])(
  "%j is escaped so that it is not a formula",
  (text) => {
    expect(escapeFormulas(text)).toMatch(/^'/);
    expect(unescapeFormulas(String(escapeFormulas(text)))).toBe(text);
  },
);

test.each(["ada@example.com", "a=b", "1-2", "'quoted", "", "fair; autumn", "fair, 2026", "a\nb", 'say "hi"'])(
  "%j is not changed",
  (text) => {
    expect(escapeFormulas(text)).toBe(text);
    expect(unescapeFormulas(text)).toBe(text);
  },
);

/** Texts that are likely to be dangerous. */
const anyText = fc.string({
  unit: fc.constantFrom(..."=+-@＝ \t\r\n,;\"'xX1".split(""), "\u00a0", "\u0001"),
  maxLength: 12,
});

/**
 * The cells that a spreadsheet shows which expects a separator. A quote opens a quoted cell only at the cell's start; text
 * after the closing quote belongs to the cell, as in Excel.
 */
function cellsOf(file: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at < file.length; at += 1) {
    let cell = "";
    if (file[at] === '"') {
      for (at += 1; at < file.length && !(file[at] === '"' && file[at + 1] !== '"'); at += 1) {
        if (file[at] === '"') at += 1;
        cell += file[at];
      }
      at += 1;
    }
    for (; at < file.length && file[at] !== separator && file[at] !== "\r" && file[at] !== "\n"; at += 1)
      cell += file[at];
    cells.push(cell);
  }
  return cells;
}

/** What a spreadsheet may take as a formula, as it ignores white space and unpaired quotes before it. */
const isFormula = (cell: string) => /^[\s\p{Cc}"]*[=+\-@＝＋－＠]/u.test(cell);

test("no spreadsheet finds a formula in a file, for any separator that it expects", () => {
  fc.assert(
    fc.property(
      fc.array(anyText, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...separators),
      (texts, separator) => {
        const file = csvLine(["id", ...texts].map(escapeFormulas), separator) + csvLine(["next"]);
        for (const expected of separators) expect(cellsOf(file, expected).filter(isFormula), file).toEqual([]);
      },
    ),
    { seed: fuzzSeed(), numRuns: fuzzCases(20_000) },
  );
});

test("escaping loses nothing, and different texts stay different", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(unescapeFormulas(escapeFormulas(text))).toBe(text);
    }),
    { seed: fuzzSeed(), numRuns: fuzzCases(20_000) },
  );
});
