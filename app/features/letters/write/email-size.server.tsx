import type { LetterContent } from "#app/features/letters/send/check-letter.server.ts";
import { LetterProblemError } from "#app/features/letters/send/letter-problems.server.ts";
import { renderLetter } from "#app/features/letters/send/render-letter.server.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";
import { Message } from "#app/owner/ui/page.server.tsx";
import type { EmailContext } from "#app/server/context.ts";

/** Bytes of HTML. Gmail hides the rest beyond 102 KB: a little less leaves room for links and answers. */
const MAX_SEEN = 100_000;

/** Warns of an email that Gmail does not show to its end, where the link to unsubscribe is. */
export function SizeWarning({ html, name }: { html: string | null; name: "letter" | "follow-up" }) {
  const bytes = html === null ? 0 : new TextEncoder().encode(html).length;
  if (bytes <= MAX_SEEN) return null;
  const size = formatNumber(Math.ceil(bytes / 1_000));
  return (
    <Message>
      {`This email has ${size} KB of HTML. Gmail hides what is beyond 102 KB, such as the link to unsubscribe. You can send it, but a shorter ${name} is seen by everyone.`}
    </Message>
  );
}

/** The HTML of what is saved, with links as long as a recipient's; null if it cannot be shown yet. */
export function htmlOf(letter: LetterContent, context: EmailContext): string | null {
  const { siteUrl } = context;
  const token = "x".repeat(60);
  const links = { unsubscribe: `${siteUrl}/unsubscribe/${token}`, entry: `${siteUrl}/your-data/${token}`, web: null };
  try {
    return renderLetter(letter, links, context).html;
  } catch (error) {
    if (error instanceof LetterProblemError) return null;
    throw error;
  }
}
