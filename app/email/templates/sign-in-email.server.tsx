import { EmailButton, EmailHeading, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { site } from "#app/site.ts";

const title = `Sign in to ${site.name}`;

const paragraphs = {
  link: "This link opens a page with a button, which lets you see who joined. It works once, within 15 minutes:",
  unrequested: "If you did not ask for it, somebody typed your address. Nobody gets in without this mail; delete it.",
} as const;

/** The email with the owner's sign-in link. */
export function signInEmail({ siteUrl, url }: { siteUrl: string; url: string }) {
  const { link, unrequested } = paragraphs;
  return {
    subject: title,
    text: [`${link}\n${url}`, unrequested, `${site.name}\n${siteUrl}`].join("\n\n"),
    html: emailHtml({
      title,
      siteUrl,
      children: (
        <>
          <EmailHeading>Sign in</EmailHeading>
          <EmailParagraph>{link}</EmailParagraph>
          <EmailButton href={url}>To the page with the button</EmailButton>
          <EmailParagraph>{unrequested}</EmailParagraph>
        </>
      ),
      footer: <EmailParagraph small>Sent to OWNER_EMAIL.</EmailParagraph>,
    }),
  };
}
