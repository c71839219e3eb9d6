import { parseArgs } from "node:util";
import { COMMAND_LINE, recordAction } from "#app/owner/log/log.server.ts";
import { describeError } from "#app/server/log.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, parseOptions, UsageError } from "#scripts/owner/command.ts";
import { erase } from "#scripts/owner/commands/erase.ts";
import { exportCommand } from "#scripts/owner/commands/export.ts";
import { find } from "#scripts/owner/commands/find.ts";
import { importCommand } from "#scripts/owner/commands/import.ts";
import { letters } from "#scripts/owner/commands/letters.ts";
import { list } from "#scripts/owner/commands/list.ts";
import { outbox } from "#scripts/owner/commands/outbox.ts";
import { signIn } from "#scripts/owner/commands/sign-in.ts";
import { stats } from "#scripts/owner/commands/stats.ts";
import { unsuppress } from "#scripts/owner/commands/unsuppress.ts";
import type { DatabaseLocation, OpenDatabase } from "#scripts/owner/database.ts";
import { commandHelp, commonOptions, overview } from "#scripts/owner/help.ts";
import type { Output } from "#scripts/owner/terminal.ts";

interface Environment {
  out: NodeJS.WritableStream;
  err: Output;
  open(location: DatabaseLocation): Promise<OpenDatabase>;
}

const commands: Record<string, Command> = {
  stats,
  list,
  find,
  export: exportCommand,
  import: importCommand,
  erase,
  outbox,
  letters,
  unsuppress,
  "sign-in": signIn,
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

async function run([name, ...rest]: string[], { out, err, open }: Environment): Promise<number> {
  const print = (line: string) => void out.write(`${line}\n`);
  if (name === undefined || name === "--help") {
    print(overview(commands));
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`Unknown command: ${name}.`);
  const options = parseOptions({ ...command.options, ...commonOptions });
  const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true });
  const optionValues = values as Record<string, string | boolean | undefined>;
  if (optionValues["help"]) {
    print(commandHelp(command));
    return 0;
  }
  const persistTo = String(optionValues["persist-to"] ?? ".wrangler/state");
  const { db, hashKey, disposableAllowed, site, close } = await open({
    remote: optionValues["remote"] === true,
    persistTo,
  });
  try {
    return await command.run({
      db,
      hashKey,
      disposableAllowed,
      site,
      options: optionValues,
      args: positionals,
      out,
      err,
      print,
      record: (action, details = {}) => recordAction({ db, now: Date.now }, { by: COMMAND_LINE, action, details }),
      now: Date.now(),
    });
  } finally {
    await close();
  }
}

function isUsage(error: unknown): boolean {
  const { code } = error as { code?: string };
  return error instanceof UsageError || code?.startsWith("ERR_PARSE_ARGS") === true;
}

/** The error and what to do about it, for the terminal. */
function explain(error: unknown): string {
  if (error instanceof StepError) return error.message;
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
