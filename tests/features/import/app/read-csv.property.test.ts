import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, escapeFormulas, unescapeFormulas } from "#app/owner/ui/csv.ts";
import { readWholeCsv } from "#tests/features/import/import-files.ts";
import { fuzzCases, fuzzSeed } from "#tests/support/pool/fuzz.ts";

test("cells of the export are read as they were, formulas included", async () => {
  const cell = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc
      .array(fc.constantFrom("'", "=", "+", "-", "@", "＝", " ", "\t", '"', ",", ";", "\n", "x"), { maxLength: 6 })
      .map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 20 }),
      async (cells, size) => {
        fc.pre(cells.every((text) => !text.includes("\0") && !text.includes("\r")));
        const row = ["x", ...cells];
        const content = csvLine(row.map((_, index) => `c${index}`)) + csvLine(row.map(escapeFormulas));
        const { rows } = await readWholeCsv(content, size);
        expect(rows.map(([, parsed]) => (parsed as string[]).map(unescapeFormulas))).toEqual([row]);
      },
    ),
    { seed: fuzzSeed(), numRuns: fuzzCases(3_000) },
  );
});
