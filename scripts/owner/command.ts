import { StepError } from "#scripts/lib/step-error.ts";
import type { DatabaseLocation, OpenDatabase } from "#scripts/owner/database.ts";

/** What commands work with. */
export interface Environment {
  /** For results. */
  out: NodeJS.WritableStream;
  /** For progress and errors. */
  err: NodeJS.WritableStream;
  open(location: DatabaseLocation): Promise<OpenDatabase>;
}

/** The options of every command. */
export const databaseOptions = {
  remote: { type: "boolean", default: false },
  "persist-to": { type: "string", default: ".wrangler/state" },
} as const;

/** Incorrect command-line usage. */
export class UsageError extends Error {
  override name = "UsageError";
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
