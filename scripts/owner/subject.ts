import { entryWithEmails, findByEmail, type OutboxEmail } from "#app/owner/entries.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { readSubject } from "#scripts/owner/terminal.ts";

/**
 * The entry that a command is about, with its mails, by address or id.
 *
 * @throws {StepError} when there is none; the message does not repeat the address, since terminals are recorded
 */
export async function requireEntry(
  db: Db,
  argument: string | undefined,
): Promise<{ entry: Entry; mails: OutboxEmail[] }> {
  const subject = await readSubject(argument);
  const id = /^\d+$/.test(subject) ? Number(subject) : await idOf(db, subject);
  const found = id === null ? null : await entryWithEmails(db, id);
  if (found !== null) return found;
  throw new StepError(
    "There is no such entry.",
    "Addresses have to be whole; npm run owner -- list --search START finds those that begin so.",
  );
}

async function idOf(db: Db, address: string): Promise<number | null> {
  const email = normaliseEmail(address);
  if (email === null) throw new StepError("That is neither an address nor an id.", "Nothing was changed.");
  return (await findByEmail(db, email))?.id ?? null;
}
