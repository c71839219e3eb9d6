import type { TemplateProps } from "#app/email/render-email.server.ts";
import {
  EmailButton,
  EmailHeading,
  EmailLink,
  EmailParagraph,
  emailHtml,
} from "#app/email/templates/email-layout.server.tsx";
import { site } from "#app/site.ts";

const title = `Your link to your ${site.name} entry`;

const paragraphs = {
  heading: "A new link",
  what: "Someone with an old link to your entry asked for a new one. It shows what we store about you and works for 30 days:",
  otherwise: "If it was not you, ignore this email: nothing has changed.",
} as const;

/** Replaces an expired link to an entry. */
export function myDataLinkEmail({ siteUrl, dataUrl }: TemplateProps) {
  const { heading, what, otherwise } = paragraphs;
  return {
    subject: title,
    text: [heading, `${what}\n${dataUrl}`, otherwise, `${site.name}\n${siteUrl}`].join("\n\n"),
    html: emailHtml({
      title,
      siteUrl,
      children: (
        <>
          <EmailHeading>{heading}</EmailHeading>
          <EmailParagraph>{what}</EmailParagraph>
          <EmailButton href={dataUrl}>See your entry</EmailButton>
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
