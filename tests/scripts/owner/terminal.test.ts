import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { ask, confirm } from "#scripts/owner/command.ts";

/** A terminal with typed input. */
function typing(reply: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.write(reply);
  return { input, output: new PassThrough() };
}

test.each(["yes", "y", "YES"])("on a terminal, %j confirms", async (reply) => {
  const terminal = typing(`${reply}\n`);
  await confirm("Erase it?", terminal);
  expect(String(terminal.output.read())).toContain("Erase it?");
});

test.each(["", "no", "yesterday"])("on a terminal, %j changes nothing", async (reply) => {
  await expect(confirm("Erase it?", typing(`${reply}\n`))).rejects.toThrow("Nothing was changed.");
});

test("on a terminal, Ctrl+D changes nothing", async () => {
  const terminal = typing("");
  terminal.input.end();
  await expect(confirm("Erase it?", terminal)).rejects.toThrow("Nothing was changed.");
});

test("a question gets the typed line", async () => {
  expect(await ask("Address: ", typing("ada@example.com\n"))).toBe("ada@example.com");
});

test("without a terminal nothing is confirmed", async () => {
  const terminal = { input: new PassThrough().end("yes\n"), output: new PassThrough() };
  await expect(confirm("Erase it?", terminal)).rejects.toThrow("Run it again with --yes.");
});
