import type { ActionRecord } from "#app/owner/log/log.server.ts";
import type { OwnerAction } from "#app/server/db/schema/owner.server.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import type { OpenDatabase } from "#scripts/owner/database.ts";
import type { Output } from "#scripts/owner/terminal.ts";

export interface CommandContext extends Omit<OpenDatabase, "close"> {
  /** Values of options, by name. */
  options: Record<string, string | undefined>;
  /** Whether a flag was given, by name. */
  flags: Record<string, boolean | undefined>;
  /** Positional arguments after the command. */
  args: string[];
  /** Stdout, for results. */
  out: NodeJS.WritableStream;
  /** Stderr, for progress. */
  err: Output;
  /** Writes a line to `out`. */
  print(line: string): void;
  /** Adds an action to the owners' log. Call it after the change, and only if something changed. */
  record(action: OwnerAction, details?: ActionRecord["details"]): Promise<void>;
  /** Milliseconds since 1970. */
  now: number;
}

export interface Command {
  /** The syntax, such as `import FILE`. */
  usage: string;
  summary: string;
  /** What each option that takes a value is for. */
  options: Record<string, string>;
  /** What each option without a value does. */
  flags: Record<string, string>;
  /** @returns exit code */
  run(context: CommandContext): Promise<number>;
}

/** Incorrect command-line usage. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** @throws {StepError} when the waitlist's HASH_KEY is not known on this machine */
export function requireHashKey({ hashKey }: CommandContext, otherwise = ""): string {
  if (hashKey !== undefined) return hashKey;
  throw new StepError(
    "HASH_KEY is not set on this machine. Without it, addresses that get no email cannot be recognised.",
    `Set the waitlist's HASH_KEY in deploy.env or in the environment${otherwise}. Nothing was changed.`,
  );
}
