import { sql } from "drizzle-orm";
import { type RepeatOutcome, repeatEmail } from "#app/email/requeue.server.ts";
import type { Letter } from "#app/features/letters/send/letters.server.ts";
import { type ComposedLetter, composeLetter } from "#app/features/letters/send/render-letter.server.ts";
import type { EmailContext, RepeatedLetter } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { EmailMessage } from "#app/server/mailer.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { greetingKeys } from "#app/waitlist/questions/greetings.server.ts";

/* A letter that one person is sent again. It is a single email of the outbox, and changes nothing of the letter's numbers. */

/** SQL for whether someone was sent a letter, or its email failed, so that they can be sent it again. */
export const CAN_REPEAT = "letter_recipients.state IN ('sent', 'failed')";

/**
 * Queues a letter to one person who was sent it, or whose email failed. The answers that it greets them with are stored
 * with the email, so that each retry has the same bytes; they go with it, or with the entry.
 */
export function repeatLetter(db: Db, letter: Letter, entryId: number, now: EpochMillis): Promise<RepeatOutcome> {
  const keys = JSON.stringify(greetingKeys(`${letter.subject}\n${letter.preview_line}\n${letter.body}`));
  const answers = sql`(SELECT json_group_object(value, waitlist_emails.answers ->> value)
    FROM json_each(${keys}) WHERE waitlist_emails.answers ->> value IS NOT NULL)`;
  const condition = sql`EXISTS (SELECT 1 FROM letter_recipients WHERE letter_recipients.entry_id = waitlist_emails.id
    AND letter_recipients.letter_id = ${letter.id} AND ${sql.raw(CAN_REPEAT)})`;
  return repeatEmail(db, entryId, { kind: "letter", letter: letter.id, answers, condition }, now);
}

/** The same bytes at each attempt. @throws if the letter is gone, or cannot be rendered any more */
export async function composeRepeated(repeated: RepeatedLetter, context: EmailContext): Promise<EmailMessage> {
  const { entryId, email, data, createdAt } = repeated;
  if (!repeated.letter || entryId === null || email === null) throw new Error("there is no such letter");
  const letter: ComposedLetter = JSON.parse(repeated.letter);
  const { answers = null } = (data ?? {}) as { answers?: Answers | null };
  const compose = composeLetter(letter, context);
  // Its tags would count what becomes of this copy as the letter's.
  const { tags: _, ...message } = await compose({ position: 0, entryId, email, answers }, createdAt);
  return message;
}
