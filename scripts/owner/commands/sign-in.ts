import { createSignInLink } from "#app/owner/sign-in-tokens.server.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, numberOption, UsageError } from "#scripts/owner/command.ts";

export const signIn: Command = {
  usage: "sign-in",
  summary: "print a link that signs you in to the owner's pages without an email",
  options: { port: { type: "string", description: "the local site's port (default: 8787)" } },
  async run({ db, site, options, print, record, now }) {
    if (options["remote"] && options["port"] !== undefined) throw new UsageError("--port is for a local site.");
    const { url, hasOwner } = await site(numberOption(options["port"], "port", 8787, 65_535));
    if (!hasOwner) {
      throw new StepError(
        `OWNER_EMAIL is not set, so ${url} has no owner's pages.`,
        options["remote"]
          ? "Set it in deploy.env and run npm run deploy."
          : "Set it in .dev.vars, or with npm start -- --var OWNER_EMAIL:you@example.com",
      );
    }
    print(await createSignInLink(db, url, now));
    await record("create-sign-in-link");
    print("It works once, within 15 minutes. Open it and press the button.");
    return 0;
  },
};
