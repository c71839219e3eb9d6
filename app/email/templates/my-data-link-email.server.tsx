import type { TemplateProps } from "#app/email/render-email.server.ts";
import {
  EmailButton,
  EmailHeading,
  EmailLink,
  EmailParagraph,
  emailHtml,
} from "#app/email/templates/email-layout.server.tsx";
import { senderLine } from "#app/email/templates/sender.ts";
import { site } from "#app/site.ts";

const title = `Your new link to your ${site.name} entry`;

const paragraphs = {
  heading: "Your new link",
  what: "Someone with an old link to your entry asked for a new one. The new link shows what we store about you, and works for 30 days.",
  otherwise: "If it wasn't you, ignore this email. Nothing has changed.",
} as const;

const labels = { data: "See your entry", privacy: "Privacy policy" } as const;

/** Replaces an expired link to an entry. */
export function myDataLinkEmail({ siteUrl, dataUrl, controller }: TemplateProps) {
  const { heading, what, otherwise } = paragraphs;
  const privacyUrl = `${siteUrl}/privacy`;
  const sender = senderLine(controller);
  return {
    subject: title,
    text: [
      heading,
      what,
      `${labels.data}: ${dataUrl}`,
      otherwise,
      `${site.name}\n${siteUrl}`,
      `--\n${labels.privacy}: ${privacyUrl}`,
      sender,
    ].join("\n\n"),
    html: emailHtml({
      title,
      siteUrl,
      children: (
        <>
          <EmailHeading>{heading}</EmailHeading>
          <EmailParagraph>{what}</EmailParagraph>
          <EmailButton href={dataUrl}>{labels.data}</EmailButton>
          <EmailParagraph>{otherwise}</EmailParagraph>
        </>
      ),
      footer: (
        <>
          <EmailParagraph small>
            <EmailLink href={privacyUrl}>{labels.privacy}</EmailLink>
          </EmailParagraph>
          <EmailParagraph small>{sender}</EmailParagraph>
        </>
      ),
    }),
  };
}
