import type { TemplateProps } from "#app/email/render-email.server.ts";
import {
  EmailButton,
  EmailHeading,
  EmailLink,
  EmailParagraph,
  emailHtml,
} from "#app/email/templates/email-layout.server.tsx";
import { rejoinSubject } from "#app/email/templates/rejoin-subject.ts";
import { senderLine } from "#app/email/templates/sender.ts";
import { site } from "#app/site.ts";

const paragraphs = {
  heading: "Was that you?",
  what: `Someone entered this address on ${site.name}. You had unsubscribed from our waitlist, so we won't add it again unless you say so.`,
  how: "If it was you, you can rejoin on the page about your entry. There you can also tell us never to email this address again.",
  otherwise: "If it wasn't you, there is nothing to do. You stay off the waitlist, and we won't ask again.",
} as const;

const labels = { data: "Rejoin the waitlist", privacy: "Privacy policy" } as const;

/** Asks an unsubscribed address that was entered again: the form cannot know who typed it. */
export function rejoinEmail({ siteUrl, dataUrl, controller }: TemplateProps) {
  const { heading, what, how, otherwise } = paragraphs;
  const privacyUrl = `${siteUrl}/privacy`;
  const sender = senderLine(controller);
  return {
    subject: rejoinSubject,
    text: [
      heading,
      what,
      how,
      `${labels.data}: ${dataUrl}`,
      otherwise,
      `${site.name}\n${siteUrl}`,
      `--\n${labels.privacy}: ${privacyUrl}`,
      sender,
    ].join("\n\n"),
    html: emailHtml({
      title: rejoinSubject,
      siteUrl,
      children: (
        <>
          <EmailHeading>{heading}</EmailHeading>
          <EmailParagraph>{what}</EmailParagraph>
          <EmailParagraph>{how}</EmailParagraph>
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
