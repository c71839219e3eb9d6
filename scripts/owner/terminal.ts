import { createInterface } from "node:readline/promises";
import { StepError } from "#scripts/lib/step-error.ts";

/** Stdin and stderr, or replacements. Questions go to stderr; stdout is for results. */
const processTerminal: { input: NodeJS.ReadableStream & { isTTY?: boolean }; output: NodeJS.WritableStream } = {
  input: process.stdin,
  output: process.stderr,
};

/** Asks for a line. The end of the input counts as an empty one. */
export async function ask(question: string, { input, output } = processTerminal): Promise<string> {
  using lines = createInterface({ input });
  output.write(question);
  const { value = "" } = await lines[Symbol.asyncIterator]().next();
  return value;
}

/** Asks before an irreversible change. @throws {StepError} unless the reply is yes; also if there is no terminal */
export async function confirm(question: string, terminal = processTerminal): Promise<void> {
  const reply = terminal.input.isTTY ? await ask(`${question} Type yes to continue: `, terminal) : "";
  if (/^y(es)?$/i.test(reply)) return;
  throw new StepError(
    "This cannot be undone, and you did not confirm it. Nothing was changed.",
    "Run it again with --yes.",
  );
}
