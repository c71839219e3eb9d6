import { parseArgs } from "node:util";
import { ImportError } from "#app/owner/import/import-error.ts";
import { COMMAND_LINE, recordAction } from "#app/owner/log/log.server.ts";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import { readOwnerAddresses } from "#app/server/config-values.server.ts";
import { reasonText } from "#app/server/db/email-reasons.ts";
import { unsuppress as liftSuppression, suppressionReasons } from "#app/server/db/suppressions.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { describeError } from "#app/server/log.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { ask, confirm, databaseOptions, type Environment, requireHashKey, UsageError } from "#scripts/owner/command.ts";
import { exportPeople, formats } from "#scripts/owner/export.ts";
import { importPeople } from "#scripts/owner/import.ts";

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

/** Prints a link that signs an owner in without an email. */
async function signIn(args: string[], { out, open }: Environment): Promise<number> {
  const options = { ...databaseOptions, port: { type: "string" }, owner: { type: "string" } } as const;
  const { port = "8787", owner, ...location } = parseArgs({ args, options }).values;
  if (!/^\d{1,5}$/.test(port)) throw new UsageError(`--port must be a port number, not "${port}".`);
  await using waitlist = await open(location);
  const { SITE_URL = "", OWNER_EMAIL } = await waitlist.siteVars();
  const siteUrl = location.remote ? new URL(SITE_URL).origin : `http://localhost:${port}`;
  const email = chooseOwner(readOwnerAddresses(OWNER_EMAIL), owner, siteUrl);
  const link = await createSignInLink(waitlist.db, { siteUrl, email }, Date.now());
  await recordAction({ db: waitlist.db, now: Date.now }, { by: COMMAND_LINE, action: "create-sign-in-link" });
  out.write(`${link}\nIt signs in ${email}. It works once, within 15 minutes. Open it and press the button.\n`);
  return 0;
}

/** @throws {StepError} if it is not clear which owner is meant */
function chooseOwner(owners: string[], named: string | undefined, siteUrl: string): string {
  const [first] = owners;
  if (first === undefined) {
    const remedy = "Set it in deploy.env and run npm run deploy; for a local site, set it in .dev.vars.";
    throw new StepError(`OWNER_EMAIL is not set, so ${siteUrl} has no owner's pages.`, remedy);
  }
  if (named === undefined && owners.length === 1) return first;
  const email = named === undefined ? null : normaliseEmail(named);
  if (email !== null && owners.includes(email)) return email;
  throw new StepError(
    named === undefined ? "Which owner should the link sign in?" : `${named} is not an owner of ${siteUrl}.`,
    `Run it again with one of\n\n${owners.map((owner) => `--owner ${owner}`).join("\n")}`,
  );
}

/** Allows emails to an address again. `-` asks for the address, which keeps it out of the shell's history. */
async function unsuppress(args: string[], { out, open }: Environment): Promise<number> {
  const options = { ...databaseOptions, yes: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [address] = positionals;
  if (address === undefined) throw new StepError("Which address?", "Give an address, or - to type it in.");
  const email = normaliseEmail(address === "-" ? await ask("Address: ") : address);
  if (email === null) {
    throw new StepError("That is not a complete address.", "Give one such as ada@example.com. Nothing was changed.");
  }
  await using waitlist = await open(values);
  const hash = await keyedHash("address:v1", email, requireHashKey(waitlist));
  if (!values.yes) await confirm("Only do this if the person asked you to. Allow emails to this address again?");
  const reason = await liftSuppression(waitlist.db, hash);
  if (reason === null) {
    out.write("This address was not suppressed. Nothing was changed.\n");
    return 1;
  }
  await recordAction(
    { db: waitlist.db, now: Date.now },
    { by: COMMAND_LINE, action: "unsuppress", details: { reason } },
  );
  out.write(`Emails to this address are allowed again. Until now: ${reasonText(suppressionReasons[reason])}.\n`);
  return 0;
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
