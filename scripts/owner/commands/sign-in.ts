import { createSignInLink } from "#app/owner/sign-in/sign-in-tokens.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, UsageError } from "#scripts/owner/command.ts";
import type { OwnerSite } from "#scripts/owner/site.ts";

export const signIn: Command = {
  usage: "sign-in",
  summary: "print a link that signs you in to the owner's pages without an email",
  options: {
    port: "the local site's port (default: 8787)",
    owner: "the address in OWNER_EMAIL to sign in, if there are several",
  },
  flags: {},
  async run({ db, site, options, flags, print, record, now }) {
    const { port = "8787", owner } = options;
    if (flags["remote"] && options["port"] !== undefined) throw new UsageError("--port is for a local site.");
    if (!/^\d{1,5}$/.test(port)) throw new UsageError(`--port must be a port number, not "${port}".`);
    const found = await site(Number(port));
    const email = chooseOwner(found, owner);
    print(await createSignInLink(db, { siteUrl: found.url, email }, now));
    await record("create-sign-in-link");
    print(`It signs in ${email}. It works once, within 15 minutes. Open it and press the button.`);
    return 0;
  },
};

/** @throws {Error} if it is not clear which owner is meant */
function chooseOwner({ url, owners, mayHaveOthers }: OwnerSite, named: string | undefined): string {
  const [first] = owners;
  if (named === undefined) {
    if (first !== undefined && owners.length === 1) return first;
    const choices = owners.length === 0 ? ["ADDRESS"] : owners;
    const list = choices.map((owner) => `--owner ${owner}`).join("\n");
    throw new StepError("Which owner should the link sign in?", `Run it again with one of\n\n${list}`);
  }
  const email = normaliseEmail(named);
  if (email === null) throw new UsageError(`--owner must be an email address, not "${named}".`);
  if (owners.includes(email) || mayHaveOthers) return email;
  throw new StepError(`${email} is not an owner of ${url}.`, "OWNER_EMAIL in deploy.env names the owners.");
}
