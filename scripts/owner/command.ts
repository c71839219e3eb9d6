import { createInterface } from "node:readline/promises";
import { describeError } from "#app/server/log.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import type { OpenDatabase } from "#scripts/owner/database.ts";

/** What commands work with. */
export interface Waitlist extends OpenDatabase {
  /** For results. */
  out: NodeJS.WritableStream;
  /** For progress and errors. */
  err: NodeJS.WritableStream;
}

/** @throws {StepError} when the waitlist's HASH_KEY is not known on this machine */
export function requireHashKey({ settings }: OpenDatabase, otherwise = ""): string {
  const { HASH_KEY } = settings;
  if (HASH_KEY !== undefined) return HASH_KEY;
  throw new StepError(
    "HASH_KEY is not set on this machine. Without it, addresses that get no email cannot be recognised.",
    `Set the waitlist's HASH_KEY in deploy.env or in the environment${otherwise}. Nothing was changed.`,
  );
}

/** Whether an error says that another program is writing to the local database. */
export function isBusy(error: unknown): boolean {
  return /database is locked/.test(describeError(error));
}

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
