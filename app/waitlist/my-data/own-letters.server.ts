import { and, eq } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { letterRecipients, letters } from "#app/server/db/schema/letters.server.ts";

/** The letters that an entry was sent, and when. */
export async function listEntryLetters(
  db: Db,
  entryId: number,
): Promise<{ subject: string; sent_at: number | null }[]> {
  return db
    .select({ subject: letters.subject, sent_at: letterRecipients.done_at })
    .from(letterRecipients)
    .innerJoin(letters, eq(letters.id, letterRecipients.letter_id))
    .where(and(eq(letterRecipients.entry_id, entryId), eq(letterRecipients.state, "sent")))
    .orderBy(letterRecipients.done_at);
}
