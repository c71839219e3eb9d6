import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { confirm, readAddress } from "#scripts/owner/terminal.ts";

/** A terminal with typed input. */
function typing(reply: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  input.write(`${reply}\n`);
  return { input, output };
}

test.each(["yes", "y", "YES"])("on a terminal, %j confirms", async (reply) => {
  const terminal = typing(reply);
  await confirm("Erase it?", false, terminal);
  expect(String(terminal.output.read())).toContain("Erase it?");
});

test.each(["", "no", "yesterday"])("on a terminal, %j changes nothing", async (reply) => {
  await expect(confirm("Erase it?", false, typing(reply))).rejects.toThrow("Nothing was changed.");
});

test("on a terminal, Ctrl+D changes nothing", async () => {
  const terminal = typing("");
  terminal.input.end();
  await expect(confirm("Erase it?", false, terminal)).rejects.toThrow("Nothing was changed.");
});

test("on a terminal, an address can be typed, which keeps it out of the shell's history", async () => {
  expect(await readAddress("-", typing("ada@example.com"))).toBe("ada@example.com");
});
