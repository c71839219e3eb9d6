import type { ComposeLetter } from "#app/email/letters/attempt-batch.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { prepareLetter } from "#app/email/letters/render-letter.server.ts";
import type { EmailContext } from "#app/email/render-email.server.ts";
import { myDataUrl, unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";

/** Renders a letter once, for all its recipients. @throws if it cannot be rendered */
export function composeLetter(letter: Letter, context: EmailContext): ComposeLetter {
  const { siteUrl, hashKey, linkSecret } = context;
  const replyTo = letter.reply_to ?? context.replyTo;
  const { subject, preview_line: previewLine, body } = letter;
  const web = letter.has_web_link ? `${siteUrl}/letters/${letter.id}` : null;
  const render = prepareLetter({ subject, previewLine, body }, web, context);
  return async ({ entryId, email, answers }, firstAttemptAt) => {
    const entry = myDataUrl(siteUrl, await signDataToken(entryId, firstAttemptAt, linkSecret));
    const unsubscribe = siteUrl + unsubscribePath(await signEntryToken("unsubscribe:v1", entryId, hashKey));
    return {
      to: email,
      replyTo,
      ...render({ unsubscribe, entry }, answers),
      tags: { letter: letter.key, entry: String(entryId) },
    };
  };
}
