import { parseArgs } from "node:util";
import { ImportError } from "#app/owner/import/import-error.ts";
import { COMMAND_LINE, recordAction } from "#app/owner/log/log.server.ts";
import { describeError } from "#app/server/log.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, type CommandContext, UsageError } from "#scripts/owner/command.ts";
import { exportCommand } from "#scripts/owner/commands/export.ts";
import { importCommand } from "#scripts/owner/commands/import.ts";
import { signIn } from "#scripts/owner/commands/sign-in.ts";
import { unsuppress } from "#scripts/owner/commands/unsuppress.ts";
import type { DatabaseLocation, OpenDatabase } from "#scripts/owner/database.ts";

interface Environment extends Pick<CommandContext, "out" | "err"> {
  open(location: DatabaseLocation): Promise<OpenDatabase>;
}

const commands: Record<string, Command> = {
  "sign-in": signIn,
  export: exportCommand,
  import: importCommand,
  unsuppress,
};

/** Of every command. */
const common = {
  options: { "persist-to": "use the local waitlist in this folder (default: .wrangler/state)" },
  flags: { remote: "use the deployed waitlist", help: "show this help" },
};

/**
 * Runs one of the owner's commands. Never throws: errors are written to `err`.
 *
 * @returns exit code: 0 succeeded, 1 failed, 2 called incorrectly
 */
export async function runOwner(args: string[], environment: Environment): Promise<number> {
  try {
    return await run(args, environment);
  } catch (error) {
    environment.err.write(`${explain(error)}\n`);
    return isUsage(error) ? 2 : 1;
  }
}

async function run([name = "", ...rest]: string[], { out, err, open }: Environment): Promise<number> {
  const print = (line: string) => void out.write(`${line}\n`);
  if (name === "" || [name, ...rest].includes("--help")) {
    print(help());
    return name === "" ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`Unknown command: ${name}.`);
  const { options, flags, args } = readArguments(command, rest);
  const persistTo = options["persist-to"] ?? ".wrangler/state";
  const { close, ...database } = await open({ remote: flags["remote"] === true, persistTo });
  const record: CommandContext["record"] = (action, details = {}) =>
    recordAction({ db: database.db, now: Date.now }, { by: COMMAND_LINE, action, details });
  try {
    return await command.run({ ...database, options, flags, args, out, err, print, record, now: Date.now() });
  } finally {
    await close();
  }
}

/** Options and flags are the same values by name, with the types that their declarations give them. */
function readArguments(command: Command, args: string[]): Pick<CommandContext, "options" | "flags" | "args"> {
  const declare = (names: object, type: "string" | "boolean") => Object.keys(names).map((name) => [name, { type }]);
  const strings = declare({ ...command.options, ...common.options }, "string");
  const booleans = declare({ ...command.flags, ...common.flags }, "boolean");
  const options = Object.fromEntries([...strings, ...booleans]);
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [empty] = Object.entries(values).find(([, value]) => value === "") ?? [];
  if (empty !== undefined) throw new UsageError(`--${empty} needs a value.`);
  return { options: values as CommandContext["options"], flags: values as CommandContext["flags"], args: positionals };
}

function help(): string {
  const sections = Object.values(commands).map(
    (command) => `${command.usage}: ${command.summary}\n${describe(command)}`,
  );
  return `npm run owner -- COMMAND [options]\n\n${[...sections, `Every command:\n${describe(common)}`].join("\n\n")}`;
}

function describe({ options, flags }: Pick<Command, "options" | "flags">): string {
  const lines = [
    ...Object.entries(options).map(([name, text]) => [`${name} VALUE`, text] as const),
    ...Object.entries(flags),
  ];
  return lines.map(([name, text]) => `  --${name.padEnd(20)} ${text}`).join("\n");
}

function isUsage(error: unknown): boolean {
  const { code } = error as { code?: string };
  return error instanceof UsageError || code?.startsWith("ERR_PARSE_ARGS") === true;
}

/** The error and what to do about it, for the terminal. */
function explain(error: unknown): string {
  // Drizzle wraps the errors of queries.
  const { cause = error } = error as Error;
  if (cause instanceof StepError) return cause.message;
  if (error instanceof ImportError) return `${error.message}\n\nNothing was changed.`;
  if (isUsage(error)) return `${(error as Error).message}\n\nFor help: npm run owner -- --help`;
  const description = describeError(error);
  if (/no such table/.test(description)) {
    return "The waitlist's tables are missing or out of date.\n\nMigrate a local database with npm start, or the deployed one with npm run deploy.";
  }
  if (/SQLITE_BUSY|database is locked/.test(description)) {
    return "Another program is writing to the database. Nothing was changed.\n\nTry again in a moment.";
  }
  return `The command failed: ${description}\n\nIt is safe to try again.`;
}
