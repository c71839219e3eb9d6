import { eq, isNotNull } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { emailOutbox } from "#app/server/db/schema/email.server.ts";
import { erasedTotals, waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { ownerLog } from "#app/server/db/schema/owner.server.ts";

/** What an owner does first, and whether it is done. */
export interface FirstSteps {
  /** An email of any kind was sent. */
  email: boolean;
  /** Someone has joined, even if their entry was erased since. */
  signUp: boolean;
  /** An owner has made a tagged link. */
  link: boolean;
}

/** Reads one row for each step. */
export async function readFirstSteps(db: Db): Promise<FirstSteps> {
  const { done_at } = emailOutbox;
  const [emails, entries, erased, links] = await db.batch([
    db.select({ done_at }).from(emailOutbox).where(isNotNull(done_at)).limit(1),
    db.select({ id: waitlistEmails.id }).from(waitlistEmails).limit(1),
    db.select({ day: erasedTotals.day }).from(erasedTotals).limit(1),
    db.select({ id: ownerLog.id }).from(ownerLog).where(eq(ownerLog.action, "make-link")).limit(1),
  ]);
  return { email: emails.length > 0, signUp: entries.length + erased.length > 0, link: links.length > 0 };
}

/** An owner with this many sign-ups no longer needs the first steps. */
const MANY_SIGN_UPS = 25;

/** Whether the overview of a list with sign-ups still shows the first steps. */
export function showsFirstSteps({ email, signUp, link }: FirstSteps, joined: number): boolean {
  return !(email && signUp && link) && joined < MANY_SIGN_UPS;
}
