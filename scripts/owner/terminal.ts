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
export async function confirm(question: string, { yes }: { yes: boolean }, terminal = processTerminal): Promise<void> {
  if (yes) return;
  if (!isInteractive(terminal)) {
    throw new StepError(
      "This cannot be undone, and there is no terminal to confirm it on. Nothing was changed.",
      "Run it again with --yes.",
    );
  }
  const reply = await ask(`${question} Type yes to continue: `, terminal);
  if (!/^y(es)?$/i.test(reply)) throw new StepError("Nothing was changed.", "You did not answer yes.");
}

/** The address or id in an argument; `-` asks for it or reads stdin, which keeps it out of the shell's history. */
export async function readSubject(argument: string | undefined, terminal = processTerminal): Promise<string> {
  if (argument === undefined) throw new StepError("Which entry?", "Give an address or an id, or - to type it in.");
  if (argument !== "-") return argument.trim();
  if (isInteractive(terminal)) return ask("Address or id: ", terminal);
  let text = "";
  for await (const chunk of terminal.input) text += chunk;
  return text.trim();
}

/** Reports progress: continuously on one line of a terminal, or as occasional lines in a log. */
export function progress(noun: string, total: number, output: Output) {
  const interval = output.isTTY ? 100 : 5_000;
  const text = (done: number) => `${formatNumber(done)} of ${formatNumber(total)} ${noun}`;
  let lastReport = Date.now();
  return {
    update(done: number): void {
      if (Date.now() - lastReport < interval) return;
      lastReport = Date.now();
      output.write(output.isTTY ? `\r${text(done)}` : `${text(done)}\n`);
    },
    end(done: number): void {
      output.write(`${output.isTTY ? "\r" : ""}${formatNumber(done)} ${noun}${output.isTTY ? "          " : ""}\n`);
    },
  };
}

function formatNumber(value: number): string {
  return value.toLocaleString("en-GB");
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
  const reply = await lines.question(question, { signal: ended.signal }).catch(() => "");
  return reply.trim();
}
