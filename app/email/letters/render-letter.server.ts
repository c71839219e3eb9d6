import { link } from "#app/email/blocks/blocks.ts";
import { html } from "#app/email/blocks/html-components.server.ts";
import { renderContent } from "#app/email/blocks/render-content.server.ts";
import type { LetterContent } from "#app/email/letters/check-letter.server.ts";
import { lineGreetingProblem } from "#app/email/letters/greeting-problems.server.ts";
import { placeholders } from "#app/email/letters/letter-address.server.ts";
import { LetterProblemError } from "#app/email/letters/letter-problems.server.ts";
import { readLetter } from "#app/email/letters/parse-letter.server.ts";
import type { EmailMessage } from "#app/email/mailer.server.ts";
import { type EntryEmailProps, entryFooter } from "#app/email/templates/entry-email.server.ts";
import { unsubscribeHeaders } from "#app/email/unsubscribe-headers.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { site } from "#app/site.ts";
import { oneClickUrl } from "#app/waitlist/my-data/links.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

/** A recipient's own links. */
interface OwnLinks {
  /** The page where the recipient unsubscribes. */
  unsubscribe: string;
  /** The page about the recipient's entry. */
  entry: string;
}

export interface LetterLinks extends OwnLinks {
  /** The page where anyone can read the letter; null if it is not public. */
  web: string | null;
}

/** Stands for the address of {@link OwnLinks.entry}. Owners cannot write it. */
const ENTRY = "{{entry}}";

/** What is written in a letter. */
type LetterWords = Omit<LetterContent, "replyTo">;

type LetterContext = Pick<EntryEmailProps, "siteUrl" | "controller">;

/** A rendered letter, without its addresses. */
type RenderedLetter = Pick<EmailMessage, "subject" | "html" | "text" | "headers">;

/**
 * Renders a letter for one recipient. The same arguments give the same bytes, as idempotency keys require.
 *
 * @param answers the recipient's, for its greetings
 * @throws as {@link prepareLetter}
 */
export function renderLetter(
  letter: LetterWords,
  links: LetterLinks,
  context: LetterContext,
  answers: Answers | null = null,
): RenderedLetter {
  return prepareLetter(letter, links.web, context)(links, answers);
}

/**
 * Renders a letter once for all its recipients.
 *
 * @param web see {@link LetterLinks}
 * @returns a function from a recipient's links and answers to {@link renderLetter}'s result, far faster
 *   than that
 * @throws {@link LetterProblemError} if {@link readLetter} refuses the body, or a greeting cannot be filled
 */
export function prepareLetter(
  { subject, previewLine, body }: LetterWords,
  web: string | null,
  context: LetterContext,
): (links: OwnLinks, answers: Answers | null) => RenderedLetter {
  const { siteUrl } = context;
  const { blocks, problems } = readLetter(body, (address) => address.replace(placeholders.site, () => siteUrl));
  if (problems[0] !== undefined) {
    throw new LetterProblemError(`Line ${problems[0].line} of the letter: ${problems[0].text}`);
  }
  const lineProblem = lineGreetingProblem(subject) ?? lineGreetingProblem(previewLine);
  if (lineProblem !== null) throw new LetterProblemError(lineProblem);
  const why = `You are receiving this email because this address is on the ${site.name} waitlist. You can unsubscribe at any time.`;
  const readOnWeb = web === null ? [] : [link("Read on the web", web)];
  const ownLinks = [link("Unsubscribe", placeholders.unsubscribe), link("See or erase your entry", ENTRY)];
  const footer = entryFooter(context, why, ...readOnWeb, ...ownLinks);
  const content = renderContent({ subject, previewLine, siteUrl, blocks, footer });
  const listId = `<letters.${new URL(siteUrl).hostname}>`;
  // The owner's texts cannot hold these placeholders anywhere but in addresses. Answers can hold anything, so they come last.
  const fill = (body: string, { unsubscribe, entry }: OwnLinks) =>
    body.replaceAll(placeholders.unsubscribe, () => unsubscribe).replaceAll(ENTRY, () => entry);
  return ({ unsubscribe, entry }, answers) => ({
    subject: fillGreetings(subject, answers),
    html: fillGreetings(
      fill(content.html, { unsubscribe: escapeHtml(unsubscribe), entry: escapeHtml(entry) }),
      answers,
      escapeHtml,
    ),
    text: fillGreetings(fill(content.text, { unsubscribe, entry }), answers),
    headers: { "List-Id": listId, ...unsubscribeHeaders(oneClickUrl(unsubscribe)) },
  });
}

function escapeHtml(text: string): string {
  return html`${text}`.toString();
}
