import { type Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { sql } from "drizzle-orm";
import { ImportError, separators } from "#app/features/import/file/read-csv.server.ts";
import { COMMAND_LINE, recordAction } from "#app/owner/log.server.ts";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { readOwnerAddresses } from "#app/server/config/config-values.server.ts";
import { ownersWith } from "#app/server/config/settings.server.ts";
import { emailReasonText } from "#app/server/db/email-reasons.ts";
import { recordEntryChange } from "#app/server/db/record-entry-change.server.ts";
import { unsuppress as liftSuppression, suppressionReasons } from "#app/server/db/suppressions.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { keyedHash } from "#app/server/hashes/address-hash.server.ts";
import { describeError } from "#app/server/log.ts";
import { program, text } from "#scripts/lib/program.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { ask, isBusy, requireHashKey, type Waitlist } from "#scripts/owner/command.ts";
import type { DatabaseLocation, OpenDatabase } from "#scripts/owner/database.ts";
import { exportPeople, formats } from "#scripts/owner/export.ts";
import { importPeople } from "#scripts/owner/import.ts";
import { readStored, takeBackOwner } from "#scripts/owner/stored-settings.ts";

interface Environment extends Pick<Waitlist, "out" | "err"> {
  open(location: DatabaseLocation): Promise<OpenDatabase>;
}

/**
 * Runs one of the owner's commands. Never throws: errors are written to `err`.
 *
 * @returns exit code: 0 succeeded, 1 failed, 2 called incorrectly
 */
export async function runOwner(args: string[], environment: Environment): Promise<number> {
  try {
    await commandLine(environment).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    const isUsage = error instanceof InvalidArgumentError;
    // Commander has already explained its own errors, and printed help.
    if (error instanceof CommanderError && !isUsage) return error.exitCode === 0 ? 0 : 2;
    environment.err.write(`${explain(error)}\n`);
    return isUsage ? 2 : 1;
  }
}

function commandLine({ out, err, open }: Environment): Command {
  const owner = program("npm run owner", "Does what the owner's pages cannot do. COMMAND --help shows its options.")
    .exitOverride()
    .configureOutput({ writeOut: (line) => void out.write(line), writeErr: (line) => void err.write(line) });
  type Run<Options> = (waitlist: Waitlist, options: Options, argument: string) => Promise<void>;
  function add<Options extends object>(name: string, description: string, run: Run<Options>): Command {
    const command: Command = owner
      .command(name)
      .description(description)
      .option("--remote", "use the deployed waitlist")
      .option("--persist-to <folder>", "use the local waitlist in this folder", text, ".wrangler/state")
      .action(async () => {
        using database = await open(command.opts());
        await run({ ...database, out, err }, command.opts<Options>(), command.args[0] ?? "");
      });
    return command;
  }
  add("sign-in", "print a link that signs you in to the owner's pages without an email", signIn)
    .option("--owner <address>", "the owner to sign in, if there are several", text)
    .option("--restore", "take the owner back first, if the page for settings has removed them");
  add("export", "export people who may get email (npm run -s omits npm's own output)", exportPeople)
    .addOption(new Option("--format <name>", "the format of the file").choices(formats).default("csv"))
    .option("--output <file>", "write to this file, readable only by you, instead of stdout", text)
    .option("--everyone", "include people who unsubscribed or have yet to confirm")
    .option("--yes", "overwrite an existing file");
  add("import <file>", "show what importing people from a CSV file would do; with --confirm, do it", importPeople)
    .option("--consent-date <date>", "when they agreed, for rows without a date (2026-11-21, or joined)", text)
    .option("--consent-note <text>", "how they agreed, for rows that do not say it", text)
    .addOption(
      new Option("--separator <sign>", "what separates the columns, if it is not found out").choices(
        Object.keys(separators),
      ),
    )
    .option("--time-zone <name>", "of times without one, such as UTC (default: this machine's)", text)
    .option("--keep-opted-out", "leave people subscribed who are on the waitlist and opted out by the file")
    .option("--fill-answers", "give people who are on the waitlist the answers of the file that they have not given")
    .option("--confirm", "add the people; run it again to continue after an interruption")
    .option("--welcome", "send the welcome email to everyone who is added");
  add("unsuppress <address>", "allow emails to an address again; - asks for the address", unsuppress).option(
    "--yes",
    "confirm that the person asked you to",
  );
  return owner;
}

interface SignInOptions {
  owner?: string;
  restore?: true;
}

/** Prints a link that signs an owner in without an email. */
async function signIn({ db, siteVars, out }: Waitlist, { owner, restore }: SignInOptions): Promise<void> {
  const { SITE_URL = "", OWNER_EMAIL } = await siteVars();
  const siteUrl = new URL(SITE_URL).origin;
  const named = owner === undefined ? null : normaliseEmail(owner);
  if (restore && named === null) throw new StepError("Which owner should be taken back?", "Add --owner ADDRESS.");
  if (restore && named !== null) await takeBackOwner(db, { variable: OWNER_EMAIL, email: named }, Date.now());
  const stored = await readStored(db);
  const email = chooseOwner(ownersWith(OWNER_EMAIL, stored), readOwnerAddresses(stored.OWNERS_REMOVED), owner, siteUrl);
  const link = await createSignInLink(db, { siteUrl, email }, Date.now());
  await recordAction({ db, now: Date.now }, { by: COMMAND_LINE, action: "create-sign-in-link" });
  out.write(`${link}\nIt signs in ${email}. It works once, within 15 minutes. Open it and press the button.\n`);
}

/**
 * @param removed those whom the page for settings has removed
 * @throws {StepError} if it is not clear which owner is meant
 */
function chooseOwner(owners: string[], removed: string[], named: string | undefined, siteUrl: string): string {
  const email = named === undefined ? null : normaliseEmail(named);
  if (email !== null && removed.includes(email)) {
    throw new StepError(
      `${email} was removed from the owners of ${siteUrl} on its page for settings.`,
      "To take them back, run it again with --restore. Every owner gets an email about it.",
    );
  }
  if (owners.length === 0) {
    const remedy = "Set it in deploy.env and run npm run deploy; for a local site, set it in .dev.vars.";
    if (removed.length === 0)
      throw new StepError(`OWNER_EMAIL is not set, so ${siteUrl} has no owner's pages.`, remedy);
    throw new StepError(
      `${siteUrl} has no owner: all were removed on its page for settings.`,
      `Take one back:\n\n${removed.map((one) => `--restore --owner ${one}`).join("\n")}`,
    );
  }
  const [found, ...others] = named === undefined ? owners : owners.filter((owner) => owner === email);
  if (found !== undefined && others.length === 0) return found;
  throw new StepError(
    named === undefined ? "Which owner should the link sign in?" : `${named} is not an owner of ${siteUrl}.`,
    `Run it again with one of\n\n${owners.map((owner) => `--owner ${owner}`).join("\n")}`,
  );
}

/** Allows emails to an address again. `-` asks for the address, which keeps it out of the shell's history. */
async function unsuppress(waitlist: Waitlist, { yes }: { yes?: true }, address: string): Promise<void> {
  const { db, out } = waitlist;
  if (!yes) throw new StepError("Do this only if the person asked you to. Nothing was changed.", "Then add --yes.");
  const email = normaliseEmail(address === "-" ? await ask("Address: ") : address);
  if (email === null) {
    throw new StepError("That is not a complete address.", "Give one such as ada@example.com. Nothing was changed.");
  }
  const hash = await keyedHash("address:v1", email, requireHashKey(waitlist));
  const reason = await liftSuppression(db, hash);
  if (reason === null) throw new StepError("This address was not suppressed.", "Nothing was changed.");
  await recordEntryChange(db, sql`email = ${email}`);
  await recordAction({ db, now: Date.now }, { by: COMMAND_LINE, action: "unsuppress", details: { reason } });
  const text =
    reason === "erased" ? "The person had left, or erased their entry" : emailReasonText(suppressionReasons[reason]);
  out.write(`Emails to this address and its import are allowed again. Until now: ${text}.\n`);
}

/** The error and what to do about it, for the terminal. */
function explain(error: unknown): string {
  // Drizzle wraps the errors of queries.
  const { cause = error } = error as Error;
  if (cause instanceof StepError) return cause.message;
  if (error instanceof ImportError) return `${error.message}\n\nNothing was changed.`;
  if (error instanceof InvalidArgumentError) return `${error.message}\n\nFor help: npm run owner -- --help`;
  const description = describeError(error);
  if (/no such table/.test(description)) {
    return "The waitlist's tables are missing or out of date.\n\nMigrate a local database with npm start, or the deployed one with npm run deploy.";
  }
  if (isBusy(error)) {
    return "Another program is writing to the database.\n\nTry again in a moment.";
  }
  return `The command failed: ${description}\n\nIt is safe to try again.`;
}
