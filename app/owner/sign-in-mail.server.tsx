import { MailButton, MailHeading, MailParagraph, mailHtml } from "#app/email/mail-layout.server.tsx";
import { site } from "#app/site.ts";

const title = `Sign in to ${site.name}`;

const paragraphs = {
  what: "This link opens a page with a button, which lets you see who joined. It works once, within 15 minutes:",
  otherwise: "If you did not ask for it, somebody typed your address. Nobody gets in without this mail; delete it.",
} as const;

/** The mail that lets the owner in. */
export function signInLetter({ siteUrl, url }: { siteUrl: string; url: string }) {
  const { what, otherwise } = paragraphs;
  return {
    subject: title,
    text: [`${what}\n${url}`, otherwise, `${site.name}\n${siteUrl}`].join("\n\n"),
    html: mailHtml({
      title,
      siteUrl,
      children: (
        <>
          <MailHeading>Sign in</MailHeading>
          <MailParagraph>{what}</MailParagraph>
          <MailButton href={url}>To the page with the button</MailButton>
          <MailParagraph>{otherwise}</MailParagraph>
        </>
      ),
      footer: <MailParagraph small>Sent to OWNER_EMAIL.</MailParagraph>,
    }),
  };
}
