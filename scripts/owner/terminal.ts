import { createInterface } from "node:readline/promises";
import { StepError } from "#scripts/lib/step-error.ts";

export type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** Standard input and error, or what stands in for them. Questions and progress leave stdout to the answer. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: Output;
}

const terminal: Terminal = { input: process.stdin, output: process.stderr };

/**
 * Asks before something that cannot be taken back.
 *
 * @throws {StepError} when the answer is no, or when nobody is there to ask
 */
export async function confirm(question: string, { yes }: { yes: boolean }, on: Terminal = terminal): Promise<void> {
  if (yes) return;
  if (!isInteractive(on)) {
    throw new StepError(
      "This cannot be taken back, and there is no terminal to ask on. Nothing was changed.",
      "Run it again with --yes.",
    );
  }
  const answer = await ask(`${question} Type yes to go on: `, on);
  if (!/^y(es)?$/i.test(answer)) throw new StepError("Nothing was changed.", "You did not answer yes.");
}

/** The address or id that an argument names; `-` asks for it, or reads it from stdin, out of the shell's history. */
export async function readSubject(argument: string | undefined, on: Terminal = terminal): Promise<string> {
  if (argument === undefined) throw new StepError("Whose entry?", "Give an address or an id, or - to type it in.");
  if (argument !== "-") return argument.trim();
  if (isInteractive(on)) return ask("Address or id: ", on);
  let text = "";
  for await (const chunk of on.input) text += chunk;
  return text.trim();
}

/** Tells how far long work has come: on one line of a terminal, in a log seldom. */
export function progress(what: string, total: number, on: Output) {
  const pause = on.isTTY ? 100 : 5_000;
  const text = (done: number) => `${number(done)} of ${number(total)} ${what}`;
  let told = Date.now();
  return {
    update(done: number): void {
      if (Date.now() - told < pause) return;
      told = Date.now();
      on.write(on.isTTY ? `\r${text(done)}` : `${text(done)}\n`);
    },
    end(done: number): void {
      on.write(`${on.isTTY ? "\r" : ""}${number(done)} ${what}${on.isTTY ? "          " : ""}\n`);
    },
  };
}

function number(value: number): string {
  return value.toLocaleString("en-GB");
}

function isInteractive({ input, output }: Terminal): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** Ctrl+C and the end of the input are an empty answer. */
async function ask(question: string, { input, output }: Terminal): Promise<string> {
  using lines = createInterface({ input, output });
  const left = new AbortController();
  lines.once("SIGINT", () => left.abort());
  lines.once("close", () => left.abort());
  const answer = await lines.question(question, { signal: left.signal }).catch(() => "");
  return answer.trim();
}
