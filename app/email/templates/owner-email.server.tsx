import { EmailHeading, EmailLink, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { site } from "#app/site.ts";

interface OwnerEmail {
  subject: string;
  heading: string;
  paragraphs: string[];
  siteUrl: string;
}

/** An email to the owner: plain paragraphs and a link to the owner's pages. */
export function ownerEmailTemplate({ subject, heading, paragraphs, siteUrl }: OwnerEmail) {
  const ownerUrl = `${siteUrl}/owner`;
  const title = `${site.name}: ${subject}`;
  return {
    subject: title,
    text: [...paragraphs, `${site.name}\n${ownerUrl}`].join("\n\n"),
    html: emailHtml({
      title,
      siteUrl,
      children: (
        <>
          <EmailHeading>{heading}</EmailHeading>
          {paragraphs.map((paragraph) => (
            <EmailParagraph key={paragraph}>{paragraph}</EmailParagraph>
          ))}
          <EmailParagraph>
            <EmailLink href={ownerUrl}>To the owner's pages</EmailLink>
          </EmailParagraph>
        </>
      ),
      footer: <EmailParagraph small>Sent to OWNER_EMAIL.</EmailParagraph>,
    }),
  };
}
