import { ImportError } from "#app/owner/import/import-error.ts";
import { describeError } from "#app/server/log.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Environment, UsageError } from "#scripts/owner/command.ts";
import { exportPeople, formats } from "#scripts/owner/commands/export.ts";
import { importPeople } from "#scripts/owner/commands/import.ts";
import { signIn } from "#scripts/owner/commands/sign-in.ts";
import { unsuppress } from "#scripts/owner/commands/unsuppress.ts";

const commands = new Map<string, (args: string[], environment: Environment) => Promise<number>>([
  ["sign-in", signIn],
  ["export", exportPeople],
  ["import", importPeople],
  ["unsuppress", unsuppress],
]);

const help = `npm run owner -- COMMAND [options]

sign-in: print a link that signs you in to the owner's pages without an email
  --port NUMBER          the local site's port (default: 8787)
  --owner ADDRESS        the address in OWNER_EMAIL to sign in, if there are several

export: export people who may get email, to a file or stdout (npm run -s omits npm's own output)
  --format FORMAT        ${formats.join(", ")} (default: csv)
  --output FILE          write to this file, readable only by you (default: stdout)
  --everyone             include people who unsubscribed or have yet to confirm
  --yes                  overwrite an existing file

import FILE: show what importing people from a CSV file would do; with --confirm, do it or continue it
  --consent-date DATE    when they agreed, for rows without a date (2026-11-21)
  --consent-note TEXT    how they agreed, for rows that do not say it
  --columns LIST         what columns hold, such as "Address=email,Type=role,Notes="
  --confirm              add the people; run it again to continue after an interruption
  --month-first          03/04/2026 is 4 March, not 3 April
  --welcome              send the welcome email to everyone who is added

unsuppress ADDRESS|-: allow emails to an address again, after a bounce, a complaint or a request for no email; - asks for it
  --yes                  skip the confirmation

Every command:
  --remote               use the deployed waitlist
  --persist-to DIR       use the local waitlist in this folder (default: .wrangler/state)
  --help                 show this help
`;

/**
 * Runs one of the owner's commands. Never throws: errors are written to `err`.
 *
 * @returns exit code: 0 succeeded, 1 failed, 2 called incorrectly
 */
export async function runOwner(args: string[], environment: Environment): Promise<number> {
  const [name = "", ...rest] = args;
  if (name === "" || args.includes("--help")) {
    environment.out.write(help);
    return name === "" ? 2 : 0;
  }
  try {
    const command = commands.get(name);
    if (command === undefined) throw new UsageError(`Unknown command: ${name}.`);
    const empty = rest.find((arg) => arg === "" || /^--[\w-]+=$/.test(arg));
    if (empty !== undefined) throw new UsageError(`${empty.replace("=", "") || "An option"} needs a value.`);
    return await command(rest, environment);
  } catch (error) {
    environment.err.write(`${explain(error)}\n`);
    return isUsage(error) ? 2 : 1;
  }
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
