import { keyedHash } from "#app/server/address-hash.server.ts";
import type { SuppressionReason } from "#app/server/db/schema/email.server.ts";
import { unsuppress as liftSuppression } from "#app/server/db/suppressions.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { type Command, requireHashKey } from "#scripts/owner/command.ts";
import { confirm, readAddress } from "#scripts/owner/terminal.ts";

const because: Record<SuppressionReason, string> = {
  "hard-bounce": "an email to it bounced",
  "soft-bounces": "three of the last five emails to it bounced",
  complaint: "the person reported an email as spam",
  never: "the person asked us never to email it again",
};

export const unsuppress: Command = {
  usage: "unsuppress ADDRESS|-",
  summary: "allow emails to an address again, after a bounce, a complaint or a request for no email; - asks for it",
  options: {},
  flags: { yes: "skip the confirmation" },
  async run(context) {
    const { db, args, flags, print, record } = context;
    const email = normaliseEmail(await readAddress(args[0]));
    if (email === null)
      throw new StepError("That is not a complete address.", "Give one such as ada@example.com. Nothing was changed.");
    const hash = await keyedHash("address:v1", email, requireHashKey(context));
    await confirm("Only do this if the person asked you to. Allow emails to this address again?", flags["yes"]);
    const reason = await liftSuppression(db, hash);
    if (reason === null) {
      print("This address was not suppressed. Nothing was changed.");
      return 1;
    }
    await record("unsuppress", { reason });
    print(`Emails to this address are allowed again. They were suppressed because ${because[reason]}.`);
    return 0;
  },
};
