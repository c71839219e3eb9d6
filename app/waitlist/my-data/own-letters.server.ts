import { and, eq } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { waitlistEmails } from "#app/server/db/schema/entries.server.ts";
import { letterRecipients, letters } from "#app/server/db/schema/letters.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

interface EntryLetter {
  subject: string;
  sent_at: number | null;
  /** Whether it was a step of the series. */
  isFollowUp: boolean;
}

/** The letters and follow-ups that an entry was sent, and when. Their greetings say what they would today. */
export async function listEntryLetters(db: Db, entryId: number): Promise<EntryLetter[]> {
  const { subject, step_id } = letters;
  const sent = await db
    .select({ subject, step_id, sent_at: letterRecipients.done_at, answers: waitlistEmails.answers })
    .from(letterRecipients)
    .innerJoin(letters, eq(letters.id, letterRecipients.letter_id))
    .innerJoin(waitlistEmails, eq(waitlistEmails.id, letterRecipients.entry_id))
    .where(and(eq(letterRecipients.entry_id, entryId), eq(letterRecipients.state, "sent")))
    .orderBy(letterRecipients.done_at);
  return sent.map(({ subject, sent_at, answers, step_id }) => ({
    subject: fillGreetings(subject, answers),
    sent_at,
    isFollowUp: step_id !== null,
  }));
}
