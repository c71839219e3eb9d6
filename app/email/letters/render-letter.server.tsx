import type { LetterContent } from "#app/email/letters/check-letter.server.ts";
import { placeholders } from "#app/email/letters/letter-address.server.ts";
import { LetterBody } from "#app/email/letters/letter-html.server.tsx";
import { letterText } from "#app/email/letters/letter-text.server.ts";
import { parseLetter } from "#app/email/letters/parse-letter.server.ts";
import type { EmailMessage } from "#app/email/mailer.server.ts";
import type { EmailContext } from "#app/email/render-email.server.ts";
import { EmailLink, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { senderLine } from "#app/email/templates/sender.ts";
import { unsubscribeHeaders } from "#app/email/unsubscribe-headers.server.ts";
import { site } from "#app/site.ts";
import { oneClickUrl } from "#app/waitlist/my-data/links.server.ts";

export interface LetterLinks {
  /** The page where the recipient unsubscribes. */
  unsubscribe: string;
  /** The page where anyone can read the letter; null if it is not public. */
  web: string | null;
}

type LetterContext = Pick<EmailContext, "siteUrl" | "controller">;

/** A rendered letter, without its addresses. */
type RenderedLetter = Pick<EmailMessage, "subject" | "html" | "text" | "headers">;

/**
 * Renders a letter for one recipient. The same arguments give the same bytes, as idempotency keys require.
 *
 * @throws if {@link parseLetter} refuses the body
 */
export function renderLetter(letter: LetterContent, links: LetterLinks, context: LetterContext): RenderedLetter {
  return prepareLetter(letter, links.web, context)(links.unsubscribe);
}

/**
 * Renders a letter once for all its recipients.
 *
 * @param web see {@link LetterLinks}
 * @returns a function from a recipient's page to unsubscribe to {@link renderLetter}'s result, far faster than that
 * @throws if {@link parseLetter} refuses the body
 */
export function prepareLetter(
  { subject, previewLine, body }: LetterContent,
  web: string | null,
  { siteUrl, controller }: LetterContext,
): (unsubscribe: string) => RenderedLetter {
  const { blocks, problems } = parseLetter(body);
  if (problems[0] !== undefined) throw new Error(`line ${problems[0].line} of the letter: ${problems[0].text}`);
  // The placeholder of the link to unsubscribe stays: the owner's texts cannot hold it anywhere else.
  const fill = (address: string) => address.replace(placeholders.site, () => siteUrl);
  const sender = senderLine(controller);
  const links = footerLinks(siteUrl, web);
  const text = [
    letterText(blocks, fill),
    `--\n${why}`,
    links.map(({ label, url }) => `${label}: ${url}`).join("\n"),
    sender,
  ].join("\n\n");
  const html = emailHtml({
    title: subject,
    siteUrl,
    previewLine,
    children: <LetterBody blocks={blocks} fill={fill} />,
    footer: (
      <>
        <EmailParagraph small>{why}</EmailParagraph>
        <EmailParagraph small>
          {links.map(({ label, url }, index) => (
            <span key={label}>
              {index === 0 ? "" : " · "}
              <EmailLink href={url}>{label}</EmailLink>
            </span>
          ))}
        </EmailParagraph>
        <EmailParagraph small>{sender}</EmailParagraph>
      </>
    ),
  });
  const listId = `<letters.${new URL(siteUrl).hostname}>`;
  return (unsubscribe) => ({
    subject,
    html: html.replaceAll(placeholders.unsubscribe, () => escapeAttribute(unsubscribe)),
    text: text.replaceAll(placeholders.unsubscribe, () => unsubscribe),
    headers: { "List-Id": listId, ...unsubscribeHeaders(oneClickUrl(unsubscribe)) },
  });
}

const why = `You are receiving this email because this address is on the ${site.name} waitlist. You can unsubscribe at any time.`;

function footerLinks(siteUrl: string, web: string | null) {
  return [
    ...(web === null ? [] : [{ label: "Read on the web", url: web }]),
    { label: "Unsubscribe", url: placeholders.unsubscribe },
    { label: "Privacy policy", url: `${siteUrl}/privacy` },
  ];
}

function escapeAttribute(url: string): string {
  return url.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
