import type { Db } from "#app/server/db/client.server.ts";
import { normaliseEmail } from "#app/server/email-address.ts";
import type { Entry } from "#app/waitlist/entries.server.ts";
import { entryWithEmails, findByEmail, type OutboxEmail } from "#app/waitlist/list-entries.server.ts";
import { StepError } from "#scripts/lib/step-error.ts";
import { readSubject } from "#scripts/owner/terminal.ts";

/**
 * Finds the entry that a command names by address or id, with its emails.
 *
 * @throws {StepError} if there is none; the message omits the address, since terminal output may be recorded
 */
export async function requireEntry(
  db: Db,
  argument: string | undefined,
): Promise<{ entry: Entry; emails: OutboxEmail[] }> {
  const subject = await readSubject(argument);
  const id = /^\d+$/.test(subject) ? Number(subject) : await findId(db, subject);
  const found = id === null ? null : await entryWithEmails(db, id);
  if (found !== null) return found;
  throw new StepError(
    "There is no such entry.",
    "Give the complete address. To search by a part of it: npm run owner -- list --search PART",
  );
}

async function findId(db: Db, address: string): Promise<number | null> {
  const email = normaliseEmail(address);
  if (email === null)
    throw new StepError(
      "That is neither an address nor an id.",
      "Give a complete address or an entry's id. Nothing was changed.",
    );
  return (await findByEmail(db, email))?.id ?? null;
}
