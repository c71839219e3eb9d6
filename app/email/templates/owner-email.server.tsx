import { EmailHeading, EmailLink, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { site } from "#app/site.ts";

interface OwnerEmail {
  subject: string;
  heading: string;
  paragraphs: string[];
  siteUrl: string;
}

/** The footer of every email to the owner. */
export const sentToOwner = "Sent to the owner of this site.";

/** An email to the owner: plain paragraphs and a link to the owner's pages. */
export function ownerEmailTemplate({ subject, heading, paragraphs, siteUrl }: OwnerEmail) {
  const ownerUrl = `${siteUrl}/owner`;
  const label = "Open the owner's pages";
  const title = `${site.name}: ${subject}`;
  return {
    subject: title,
    text: [heading, ...paragraphs, `${label}: ${ownerUrl}`, `--\n${site.name}\n${siteUrl}\n${sentToOwner}`].join(
      "\n\n",
    ),
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
            <EmailLink href={ownerUrl}>{label}</EmailLink>
          </EmailParagraph>
        </>
      ),
      footer: <EmailParagraph small>{sentToOwner}</EmailParagraph>,
    }),
  };
}
