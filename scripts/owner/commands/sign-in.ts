import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, numberOption, UsageError } from "#scripts/owner/command.ts";
import type { OwnerSite } from "#scripts/owner/site.ts";

export const signIn: Command = {
  usage: "sign-in",
  summary: "print a link that signs you in to the owner's pages without an email",
  options: {
    port: { type: "string", description: "the local site's port (default: 8787)" },
    owner: { type: "string", description: "the address in OWNER_EMAIL to sign in, if there are several" },
  },
  async run({ db, site, options, print, record, now }) {
    if (options["remote"] && options["port"] !== undefined) throw new UsageError("--port is for a local site.");
    const found = await site(numberOption(options["port"], "port", 8787, 65_535));
    const email = chooseOwner(found, options["owner"], options["remote"] === true);
    print(await createSignInLink(db, { siteUrl: found.url, email }, now));
    await record("create-sign-in-link");
    print(`It signs in ${email}. It works once, within 15 minutes. Open it and press the button.`);
    return 0;
  },
};

/** @throws {Error} if the site has no owner, or it is not clear which one is meant */
function chooseOwner({ url, owners, mayHaveOthers }: OwnerSite, named: unknown, isRemote: boolean): string {
  if (owners.length === 0 && !mayHaveOthers) {
    throw new StepError(
      `OWNER_EMAIL is not set, so ${url} has no owner's pages.`,
      isRemote
        ? "Set it in deploy.env and run npm run deploy."
        : "Set it in .dev.vars, or with npm start -- --var OWNER_EMAIL:you@example.com",
    );
  }
  const [first] = owners;
  if (named === undefined) {
    if (first !== undefined && owners.length === 1) return first;
    const choice = owners.length === 0 ? "ADDRESS" : owners.join("\n--owner ");
    throw new StepError("Which owner should the link sign in?", `Run it again with one of\n\n--owner ${choice}`);
  }
  const email = normaliseEmail(named);
  if (email === null) throw new UsageError(`--owner must be an email address, not "${named}".`);
  if (owners.includes(email) || mayHaveOthers) return email;
  throw new StepError(`${email} is not an owner of ${url}.`, "OWNER_EMAIL in deploy.env names the owners.");
}
