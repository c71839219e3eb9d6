import { eq } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import {
  letterRecipients,
  letters,
  type RecipientReason,
  type RecipientState,
} from "#app/server/db/schema/letters.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

interface EntryLetter {
  subject: string;
  state: RecipientState;
  /** Why it was not sent, or may not have been. */
  reason: RecipientReason | null;
  /** When that was recorded (milliseconds since 1970). */
  done_at: number | null;
  /** Whether it was a step of the series. */
  isFollowUp: boolean;
}

/** The letters and follow-ups to an entry, with what became of each. Their greetings say what they would today. */
export async function listEntryLetters(db: Db, entryId: number): Promise<EntryLetter[]> {
  const { subject, step_id } = letters;
  const { state, reason, done_at } = letterRecipients;
  const found = await db
    .select({ subject, step_id, state, reason, done_at, answers: waitlistEmails.answers })
    .from(letterRecipients)
    .innerJoin(letters, eq(letters.id, letterRecipients.letter_id))
    .innerJoin(waitlistEmails, eq(waitlistEmails.id, letterRecipients.entry_id))
    .where(eq(letterRecipients.entry_id, entryId))
    .orderBy(letterRecipients.done_at);
  return found.map(({ subject, answers, step_id, ...outcome }) => ({
    subject: fillGreetings(subject, answers),
    ...outcome,
    isFollowUp: step_id !== null,
  }));
}
