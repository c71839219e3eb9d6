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
  what: `Somebody entered this address on ${site.name}. It had left our waitlist, so we put nobody back without asking.`,
  how: "If it was you, this page has a button that puts you back:",
  otherwise: "If it was not you, there is nothing to do: you stay off the list, and no news is sent to you.",
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
          <EmailButton href={dataUrl}>To the page with the button</EmailButton>
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
