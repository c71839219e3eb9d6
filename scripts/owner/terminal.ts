import { createInterface } from "node:readline/promises";
import { StepError } from "#scripts/lib/step-error.ts";

export type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** Stdin and stderr, or replacements. Questions and progress go to stderr; stdout is for results. */
interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: Output;
}

const processTerminal: Terminal = { input: process.stdin, output: process.stderr };

/** Asks before an irreversible change. @throws {StepError} unless the reply is yes; also if there is no terminal */
export async function confirm(question: string, yes = false, terminal = processTerminal): Promise<void> {
  if (yes) return;
  const reply = isInteractive(terminal) ? await ask(`${question} Type yes to continue: `, terminal) : "";
  if (/^y(es)?$/i.test(reply)) return;
  throw new StepError(
    "This cannot be undone, and you did not confirm it. Nothing was changed.",
    "Run it again with --yes.",
  );
}

/** The address in an argument; `-` asks for it or reads stdin, which keeps it out of the shell's history. */
export async function readAddress(argument: string | undefined, terminal = processTerminal): Promise<string> {
  if (argument === undefined) throw new StepError("Which address?", "Give an address, or - to type it in.");
  if (argument !== "-") return argument;
  if (isInteractive(terminal)) return ask("Address: ", terminal);
  return (await Array.fromAsync(terminal.input)).join("");
}

/** Reports progress: continuously on one line of a terminal, or as occasional lines in a log. */
export function progress(noun: string, total: number, output: Output) {
  const interval = output.isTTY ? 100 : 5_000;
  const format = (value: number) => value.toLocaleString("en-GB");
  let lastReport = Date.now();
  return {
    update(done: number): void {
      if (Date.now() - lastReport < interval) return;
      lastReport = Date.now();
      const text = `${format(done)} of ${format(total)} ${noun}`;
      output.write(output.isTTY ? `\r${text}` : `${text}\n`);
    },
    end(done: number): void {
      output.write(`${output.isTTY ? "\r" : ""}${format(done)} ${noun}${output.isTTY ? "          " : ""}\n`);
    },
  };
}

function isInteractive({ input, output }: Terminal): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** Ctrl+C and end of input count as an empty reply. */
async function ask(question: string, { input, output }: Terminal): Promise<string> {
  using lines = createInterface({ input, output });
  const ended = new AbortController();
  lines.once("SIGINT", () => ended.abort());
  lines.once("close", () => ended.abort());
  return await lines.question(question, { signal: ended.signal }).catch(() => "");
}
