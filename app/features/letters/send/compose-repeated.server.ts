import { type ComposedLetter, composeLetter } from "#app/features/letters/send/render-letter.server.ts";
import type { EmailContext, RepeatedLetter } from "#app/server/context.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { EmailMessage } from "#app/server/mailer.server.ts";

/** The same bytes at each attempt. @throws if the letter is gone, or cannot be rendered any more */
export async function composeRepeated(repeated: RepeatedLetter, context: EmailContext): Promise<EmailMessage> {
  const { entryId, email, data, createdAt } = repeated;
  if (!repeated.letter || entryId === null || email === null) throw new Error("there is no such letter");
  const letter: ComposedLetter = JSON.parse(repeated.letter);
  const { answers = null } = (data ?? {}) as { answers?: Answers | null };
  // Tags are for batches: the outbox knows its emails by their ids.
  const { tags: _, ...message } = await composeLetter(letter, context)(
    { position: 0, entryId, email, answers },
    createdAt,
  );
  return message;
}
