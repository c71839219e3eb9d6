import { parseArgs } from "node:util";
import { COMMAND_LINE, recordAction } from "#app/owner/log/log.server.ts";
import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { readOwnerAddresses } from "#app/server/config-values.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { databaseOptions, type Environment, UsageError } from "#scripts/owner/command.ts";

const options = { ...databaseOptions, port: { type: "string" }, owner: { type: "string" } } as const;

/** Prints a link that signs an owner in without an email. */
export async function signIn(args: string[], { out, open }: Environment): Promise<number> {
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
