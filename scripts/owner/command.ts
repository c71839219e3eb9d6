import type { ParseArgsConfig } from "node:util";
import type { Db } from "#app/server/db/client.server.ts";
import type { Output } from "#scripts/owner/terminal.ts";

/** What a command works with. */
export interface CommandContext {
  db: Db;
  /** Options by name, as given. */
  options: Record<string, string | boolean | undefined>;
  /** What follows the command that is no option. */
  args: string[];
  /** Where the answer goes: stdout. */
  out: NodeJS.WritableStream;
  /** Where long work tells how far it is: stderr. */
  err: Output;
  /** Writes a line of the answer. */
  print(line: string): void;
  /** Milliseconds since 1970. */
  now: number;
}

export interface Command {
  /** How it is written, such as `find ADDRESS`. */
  usage: string;
  summary: string;
  /** Its own options, with what they mean. */
  options: Record<string, { type: "string" | "boolean"; means: string }>;
  /** @returns exit code */
  run(context: CommandContext): Promise<number>;
}

export function parseOptions(options: Command["options"]): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));
}

/** A wrong way to call a command: the message, then where its help is. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** A whole number within bounds, from an option. */
export function numberOption(value: string | boolean | undefined, name: string, usual: number, most: number): number {
  if (value === undefined) return usual;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} ${value} must be a whole number from 1 to ${most}.`);
}

/** One of some words, from an option. */
export function choiceOption<Choice extends string>(
  value: string | boolean | undefined,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((word) => word === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`--${name} ${value} must be one of: ${choices.join(", ")}.`);
}
