import type { ParseArgsConfig } from "node:util";
import type { ActionRecord } from "#app/owner/log/log.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { OwnerAction } from "#app/server/db/schema/owner.server.ts";
import type { OwnerSite } from "#scripts/owner/site.ts";
import type { Output } from "#scripts/owner/terminal.ts";

export interface CommandContext {
  db: Db;
  /** The waitlist's HASH_KEY; undefined if it is not known on this machine. */
  hashKey: string | undefined;
  /** The waitlist's DISPOSABLE_ALLOWED. */
  disposableAllowed: string[];
  /** @param port of a local site */
  site(port: number): Promise<OwnerSite>;
  /** Option values by name. */
  options: Record<string, string | boolean | undefined>;
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
  /** The syntax, such as `find ADDRESS`. */
  usage: string;
  summary: string;
  options: Record<string, { type: "string" | "boolean"; description: string }>;
  /** @returns exit code */
  run(context: CommandContext): Promise<number>;
}

export function parseOptions(options: Command["options"]): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));
}

/** Incorrect command-line usage. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Parses an option as a whole number from 1 to `max`. @throws {UsageError} */
export function numberOption(value: string | boolean | undefined, name: string, fallback: number, max: number): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= max) return number;
  throw new UsageError(`--${name} must be a whole number from 1 to ${max}, not "${value}".`);
}

/** Parses an option as one of `choices`. @throws {UsageError} */
export function choiceOption<Choice extends string>(
  value: string | boolean | undefined,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((word) => word === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`--${name} must be one of ${choices.join(", ")}, not "${value}".`);
}
