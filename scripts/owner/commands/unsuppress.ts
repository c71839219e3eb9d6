import { parseArgs } from "node:util";
import { COMMAND_LINE, recordAction } from "#app/owner/log/log.server.ts";
import { keyedHash } from "#app/server/address-hash.server.ts";
import type { SuppressionReason } from "#app/server/db/schema/email.server.ts";
import { unsuppress as liftSuppression } from "#app/server/db/suppressions.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { databaseOptions, type Environment, requireHashKey } from "#scripts/owner/command.ts";
import { ask, confirm } from "#scripts/owner/terminal.ts";

const options = { ...databaseOptions, yes: { type: "boolean" } } as const;

const because: Record<SuppressionReason, string> = {
  "hard-bounce": "an email to it bounced",
  "soft-bounces": "three of the last five emails to it bounced",
  complaint: "the person reported an email as spam",
  never: "the person asked us never to email it again",
};

/** Allows emails to an address again. `-` asks for the address, which keeps it out of the shell's history. */
export async function unsuppress(args: string[], { out, open }: Environment): Promise<number> {
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
  out.write(`Emails to this address are allowed again. They were suppressed because ${because[reason]}.\n`);
  return 0;
}
