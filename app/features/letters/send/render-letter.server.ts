import { link } from "#app/email/blocks/blocks.ts";
import { html } from "#app/email/blocks/components.server.ts";
import { renderContent } from "#app/email/blocks/render-content.server.ts";
import { greetReader } from "#app/email/greet-reader.server.ts";
import { entryFooter, unsubscribeHeaders } from "#app/email/templates/entry-emails.server.ts";
import type { BatchMember } from "#app/features/letters/send/batches.server.ts";
import type { LetterContent } from "#app/features/letters/send/check-letter.server.ts";
import { fillSiteAddress } from "#app/features/letters/send/counted-link.ts";
import { LetterProblemError, placeholders } from "#app/features/letters/send/letter-problems.server.ts";
import type { Letter } from "#app/features/letters/send/letters.server.ts";
import { readLetter } from "#app/features/letters/send/parse-letter.server.ts";
import type { EmailContext } from "#app/server/context.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { BatchMessage, EmailMessage } from "#app/server/mailer.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { site } from "#app/site.ts";
import { myDataUrl, oneClickUrl, unsubscribePath } from "#app/waitlist/my-data/links.server.ts";
import { signDataToken, signEntryToken } from "#app/waitlist/my-data/token.server.ts";
import { lineGreetingProblem } from "#app/waitlist/questions/greetings.server.ts";

/** Where a recipient unsubscribes, and the page about the recipient's entry. */
type OwnLinks = Record<"unsubscribe" | "entry", string>;

export interface LetterLinks extends OwnLinks {
  /** The page where anyone can read the letter; null if it is not public. */
  web: string | null;
}

/** Stands for the address of {@link OwnLinks.entry}. Owners cannot write it. */
const ENTRY = "{{entry}}";

type Written = Omit<LetterContent, "reply_to">;

type LetterContext = Pick<EmailContext, "siteUrl" | "controller">;

type RenderedLetter = Omit<EmailMessage, "to" | "replyTo">;

/** {@link prepareLetter} for one recipient. The same arguments give the same bytes, as idempotency keys require. */
export function renderLetter(
  letter: Written,
  links: LetterLinks,
  context: LetterContext,
  answers: Answers | null = null,
): RenderedLetter {
  return prepareLetter(letter, links.web, context)(links, answers);
}

/**
 * Renders a letter once.
 *
 * @param counted the letter that visits through its counted links count for; null for tests and previews
 * @throws {@link LetterProblemError} if the body is refused, or a greeting cannot be filled
 */
export function prepareLetter(
  { subject, preview_line, body }: Written,
  web: string | null,
  context: LetterContext,
  counted: Pick<Letter, "id" | "step_id"> | null = null,
): (links: OwnLinks, answers: Answers | null) => RenderedLetter {
  const { siteUrl } = context;
  const { blocks, problems } = readLetter(body, (address) => fillSiteAddress(address, siteUrl, counted));
  if (problems[0] !== undefined) {
    throw new LetterProblemError(`Line ${problems[0].line} of the letter: ${problems[0].text}`);
  }
  const lineProblem = lineGreetingProblem(subject) ?? lineGreetingProblem(preview_line);
  if (lineProblem !== null) throw new LetterProblemError(lineProblem);
  const why = `You’re receiving this email because this address is on the ${site.name} waitlist. You can unsubscribe at any time.`;
  const readOnWeb = web === null ? [] : [link("Read on the web", web)];
  const ownLinks = [link("Unsubscribe", placeholders.unsubscribe), link("See or erase your entry", ENTRY)];
  const footer = entryFooter(context, why, ...readOnWeb, ...ownLinks);
  const content = renderContent({ subject, previewLine: preview_line, siteUrl, pictures: siteUrl, blocks, footer });
  const listId = `<letters.${new URL(siteUrl).hostname}>`;
  // The owner's texts cannot hold these placeholders anywhere but in addresses. Answers can hold anything, so they come last.
  const fill = (body: string, unsubscribe: string, entry: string) =>
    body.replaceAll(placeholders.unsubscribe, () => unsubscribe).replaceAll(ENTRY, () => entry);
  return ({ unsubscribe, entry }, answers) => ({
    ...greetReader(
      {
        subject,
        html: fill(content.html, escapeHtml(unsubscribe), escapeHtml(entry)),
        text: fill(content.text, unsubscribe, entry),
      },
      answers,
    ),
    headers: { "List-Id": listId, ...unsubscribeHeaders(oneClickUrl(unsubscribe)) },
  });
}

function escapeHtml(text: string): string {
  return html`${text}`.toString();
}

/** Turns a recipient into their email, the same at each attempt: links that expire count from the batch's first one. */
export type ComposeLetter = (member: BatchMember, firstAttemptAt: EpochMillis) => Promise<BatchMessage>;

export type ComposedLetter = LetterContent & Pick<Letter, "id" | "key" | "has_web_link" | "step_id">;

export function composeLetter(letter: ComposedLetter, context: EmailContext): ComposeLetter {
  const { siteUrl, hashKey, linkSecret } = context;
  const replyTo = letter.reply_to ?? context.replyTo;
  const web = letter.has_web_link ? `${siteUrl}/letters/${letter.id}` : null;
  const render = prepareLetter(letter, web, context, letter);
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
