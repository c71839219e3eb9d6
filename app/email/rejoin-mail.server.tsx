import type { LetterFacts } from "#app/email/letters.server.ts";
import { MailButton, MailHeading, MailLink, MailParagraph, mailHtml } from "#app/email/mail-layout.server.tsx";
import { site } from "#app/site.ts";

const title = `Do you want to be back on the ${site.name} waitlist?`;

const paragraphs = {
  heading: "Was that you?",
  what: `Somebody entered this address on ${site.name}. It had left our waitlist, so we put nobody back without asking.`,
  how: "If it was you, this page has a button that puts you back:",
  otherwise: "If it was not you, there is nothing to do: you stay off the list, and no news is sent to you.",
} as const;

/** The mail to an address that had unsubscribed and was entered again: the form cannot know who typed it. */
export function rejoinLetter({ siteUrl, dataUrl }: LetterFacts) {
  const { heading, what, how, otherwise } = paragraphs;
  return {
    subject: title,
    text: [heading, what, `${how}\n${dataUrl}`, otherwise, `${site.name}\n${siteUrl}`].join("\n\n"),
    html: mailHtml({
      title,
      siteUrl,
      children: (
        <>
          <MailHeading>{heading}</MailHeading>
          <MailParagraph>{what}</MailParagraph>
          <MailParagraph>{how}</MailParagraph>
          <MailButton href={dataUrl}>To the page with the button</MailButton>
          <MailParagraph>{otherwise}</MailParagraph>
        </>
      ),
      footer: (
        <MailParagraph small>
          <MailLink href={`${siteUrl}/privacy`}>How we look after your address</MailLink>
        </MailParagraph>
      ),
    }),
  };
}
