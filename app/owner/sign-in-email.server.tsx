import { EmailButton, EmailHeading, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { site } from "#app/site.ts";

const title = `Sign in to ${site.name}`;

const paragraphs = {
  what: "This link opens a page with a button, which lets you see who joined. It works once, within 15 minutes:",
  otherwise: "If you did not ask for it, somebody typed your address. Nobody gets in without this mail; delete it.",
} as const;

/** The mail that lets the owner in. */
export function signInEmail({ siteUrl, url }: { siteUrl: string; url: string }) {
  const { what, otherwise } = paragraphs;
  return {
    subject: title,
    text: [`${what}\n${url}`, otherwise, `${site.name}\n${siteUrl}`].join("\n\n"),
    html: emailHtml({
      title,
      siteUrl,
      children: (
        <>
          <EmailHeading>Sign in</EmailHeading>
          <EmailParagraph>{what}</EmailParagraph>
          <EmailButton href={url}>To the page with the button</EmailButton>
          <EmailParagraph>{otherwise}</EmailParagraph>
        </>
      ),
      footer: <EmailParagraph small>Sent to OWNER_EMAIL.</EmailParagraph>,
    }),
  };
}
