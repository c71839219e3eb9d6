import { parseArgs } from "node:util";
import { describeError } from "#app/server/log.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, parseOptions, UsageError } from "#scripts/owner/command.ts";
import { erase } from "#scripts/owner/commands/erase.ts";
import { exportCommand } from "#scripts/owner/commands/export.ts";
import { find } from "#scripts/owner/commands/find.ts";
import { list } from "#scripts/owner/commands/list.ts";
import { outbox } from "#scripts/owner/commands/outbox.ts";
import { stats } from "#scripts/owner/commands/stats.ts";
import type { OpenDatabase, Where } from "#scripts/owner/database.ts";
import { commandHelp, commonOptions, overview } from "#scripts/owner/help.ts";
import type { Output } from "#scripts/owner/terminal.ts";

interface Surroundings {
  out: NodeJS.WritableStream;
  err: Output;
  open(where: Where): Promise<OpenDatabase>;
}

const commands: Record<string, Command> = { stats, list, find, export: exportCommand, erase, outbox };

/**
 * Runs one of the owner's commands. Never throws: what went wrong is a sentence on `err`.
 *
 * @returns exit code: 0 done, 1 not done, 2 called in a wrong way
 */
export async function runOwner(args: string[], around: Surroundings): Promise<number> {
  try {
    return await run(args, around);
  } catch (error) {
    around.err.write(`${explain(error)}\n`);
    return isUsage(error) ? 2 : 1;
  }
}

async function run([name, ...rest]: string[], { out, err, open }: Surroundings): Promise<number> {
  const print = (line: string) => void out.write(`${line}\n`);
  if (name === undefined || name === "--help") {
    print(overview(commands));
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`There is no command ${name}.`);
  const options = parseOptions({ ...command.options, ...commonOptions });
  const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true });
  const given = values as Record<string, string | boolean | undefined>;
  if (given["help"]) {
    print(commandHelp(command));
    return 0;
  }
  const persistTo = String(given["persist-to"] ?? ".wrangler/state");
  const { db, close } = await open({ remote: given["remote"] === true, persistTo });
  try {
    return await command.run({ db, options: given, args: positionals, out, err, print, now: Date.now() });
  } finally {
    await close();
  }
}

function isUsage(error: unknown): boolean {
  const { code } = error as { code?: string };
  return error instanceof UsageError || code?.startsWith("ERR_PARSE_ARGS") === true;
}

/** What happened and what to do, for a person. */
function explain(error: unknown): string {
  if (error instanceof StepError) return error.message;
  if (isUsage(error)) return `${(error as Error).message}\n\nnpm run owner -- --help`;
  const said = describeError(error);
  if (/no such table/.test(said)) {
    return "This database has no waitlist, or one from before the newest migrations.\n\nnpm start migrates the local one, npm run deploy the deployed one.";
  }
  if (/SQLITE_BUSY|database is locked/.test(said)) {
    return "Another program is writing to the database just now. Nothing was changed.\n\nTry again in a moment.";
  }
  return `It did not work: ${said}\n\nNothing is half done: every change here is one statement. Try again.`;
}
