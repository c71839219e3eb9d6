import { MailHeading, MailLink, MailParagraph, mailHtml } from "#app/email/mail-layout.server.tsx";
import { site } from "#app/site.ts";

interface OwnerLetter {
  subject: string;
  heading: string;
  paragraphs: string[];
  siteUrl: string;
}

/** A mail to the owner: plain paragraphs, and the way to the owner's pages. */
export function ownerLetter({ subject, heading, paragraphs, siteUrl }: OwnerLetter) {
  const ownerUrl = `${siteUrl}/owner`;
  const title = `${site.name}: ${subject}`;
  return {
    subject: title,
    text: [...paragraphs, `${site.name}\n${ownerUrl}`].join("\n\n"),
    html: mailHtml({
      title,
      siteUrl,
      children: (
        <>
          <MailHeading>{heading}</MailHeading>
          {paragraphs.map((paragraph) => (
            <MailParagraph key={paragraph}>{paragraph}</MailParagraph>
          ))}
          <MailParagraph>
            <MailLink href={ownerUrl}>To the owner's pages</MailLink>
          </MailParagraph>
        </>
      ),
      footer: <MailParagraph small>Sent to OWNER_EMAIL.</MailParagraph>,
    }),
  };
}
