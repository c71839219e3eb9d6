import { EmailButton, EmailHeading, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { sentToOwner } from "#app/email/templates/owner-email.server.tsx";
import { site } from "#app/site.ts";

const title = `Sign in to ${site.name}`;

const paragraphs = {
  heading: "Sign in",
  link: "This link opens a page where you can sign in to see who joined. It works once, within 15 minutes.",
  unrequested:
    "If you didn't ask for it, someone else entered your address. They can't sign in without this email, so just delete it.",
} as const;

/** The email with the owner's sign-in link. */
export function signInEmail({ siteUrl, url }: { siteUrl: string; url: string }) {
  const { heading, link, unrequested } = paragraphs;
  return {
    subject: title,
    text: [link, `${heading}: ${url}`, unrequested, `--\n${site.name}\n${siteUrl}\n${sentToOwner}`].join("\n\n"),
    html: emailHtml({
      title,
      siteUrl,
      children: (
        <>
          <EmailHeading>{heading}</EmailHeading>
          <EmailParagraph>{link}</EmailParagraph>
          <EmailButton href={url}>{heading}</EmailButton>
          <EmailParagraph>{unrequested}</EmailParagraph>
        </>
      ),
      footer: <EmailParagraph small>{sentToOwner}</EmailParagraph>,
    }),
  };
}
