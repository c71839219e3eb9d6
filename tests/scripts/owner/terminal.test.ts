import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { ask } from "#scripts/owner/command.ts";

test.each([
  ["ada@example.com\n", "ada@example.com"],
  ["", ""],
])("a question gets the typed line, or nothing with Ctrl+D: %j", async (typed, line) => {
  const output = new PassThrough();
  expect(await ask("Address: ", new PassThrough().end(typed), output)).toBe(line);
  expect(String(output.read())).toBe("Address: ");
});
