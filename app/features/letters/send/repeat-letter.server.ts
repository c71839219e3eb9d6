import { sql } from "drizzle-orm";
import { type RepeatOutcome, repeatEmail } from "#app/email/requeue.server.ts";
import type { Letter } from "#app/features/letters/send/letters.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
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
