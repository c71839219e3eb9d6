import { expect, test } from "vitest";
import { errors } from "#app/features/import/file/import-error.ts";
import { readWholeCsv as read } from "#tests/features/import/import-files.ts";

test.each([
  ["every line", 'x"y,"a"b\n'],
  ["every second line", 'x"y,"a"b\nb@example.com,z\n'],
  ["every line, behind a quotation mark that is closed and opened again", `${'y","\n'.repeat(10_000)}y"x\n`],
])("stray quotation marks in %s take little time", async (_, lines) => {
  const content = `email,note\n${lines.repeat(Math.ceil(2_000_000 / lines.length))}`;
  const start = performance.now();
  await expect(read(content)).rejects.toThrow(errors.quotes);
  // To look for the end of each row in all that follows would take several times as long.
  expect(performance.now() - start).toBeLessThan(4_000);
});
