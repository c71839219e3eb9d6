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

/** Asks for a line on stderr; stdout is for results. The end of the input counts as an empty one. */
export async function ask(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  using lines = createInterface({ input });
  output.write(question);
  const { value = "" } = await lines[Symbol.asyncIterator]().next();
  return value;
}
