import type { TemplateProps } from "#app/email/render-email.server.ts";
import {
  EmailButton,
  EmailHeading,
  EmailLink,
  EmailParagraph,
  emailHtml,
} from "#app/email/templates/email-layout.server.tsx";
import { site } from "#app/site.ts";

const title = `Do you want to be back on the ${site.name} waitlist?`;

const paragraphs = {
  heading: "Was that you?",
  what: `Someone entered this address on ${site.name}. You had left our waitlist, so we won't add you again unless you say so.`,
  how: "If it was you, you can rejoin on this page. You can also tell us never to email this address again:",
  otherwise: "If it was not you, there is nothing to do: you stay off the list, and we won't ask again.",
} as const;

/** Asks an unsubscribed address that was entered again: the form cannot know who typed it. */
export function rejoinEmail({ siteUrl, dataUrl }: TemplateProps) {
  const { heading, what, how, otherwise } = paragraphs;
  return {
    subject: title,
    text: [heading, what, `${how}\n${dataUrl}`, otherwise, `${site.name}\n${siteUrl}`].join("\n\n"),
    html: emailHtml({
      title,
      siteUrl,
      children: (
        <>
          <EmailHeading>{heading}</EmailHeading>
          <EmailParagraph>{what}</EmailParagraph>
          <EmailParagraph>{how}</EmailParagraph>
          <EmailButton href={dataUrl}>Rejoin the waitlist</EmailButton>
          <EmailParagraph>{otherwise}</EmailParagraph>
        </>
      ),
      footer: (
        <EmailParagraph small>
          <EmailLink href={`${siteUrl}/privacy`}>How we look after your address</EmailLink>
        </EmailParagraph>
      ),
    }),
  };
}
