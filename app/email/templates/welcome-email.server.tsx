import type { TemplateProps } from "#app/email/render-email.server.ts";
import { EmailHeading, EmailLink, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { senderLine } from "#app/email/templates/sender.ts";
import { launched, site } from "#app/site.ts";
import { consentWording } from "#app/waitlist/consent-wording.ts";

const title = `You are on the ${site.name} waitlist`;

const paragraphs = {
  greeting: "Hello, and thank you for joining.",
  joined: `You are on the ${site.name} waitlist, as one of our ${site.pioneer.many}: the ${site.host.many} and ${site.stallholder.many} who get early access and have a say in what we build.`,
  next: `We are building a place where ${site.host.label} and craft ${site.stallholder.many} find each other by date, distance and what each of them needs. We're aiming to launch ${site.launch}.`,
  promise: `${consentWording} This is the welcome email.`,
  ask: "One thing would help us now. Reply to this email and tell us which part of running a stall, or of finding one for your event, tries your patience most. The owner reads every reply.",
  why: "You are receiving this email because someone entered this address on our site. If it wasn't you, or you have changed your mind, you can unsubscribe or erase your entry at any time.",
} as const;

const labels = { unsubscribe: "Unsubscribe", data: "See or erase your entry", privacy: "Privacy policy" } as const;

/** Why people receive the email who did not join on the site. */
const whyImported =
  "You are receiving this email because you gave us this address for our waitlist, outside our site. If it wasn't you, or you have changed your mind, you can unsubscribe or erase your entry at any time.";

export function welcomeEmail({ siteUrl, launchUrl, dataUrl, unsubscribeUrl, controller, isImported }: TemplateProps) {
  const { greeting, joined, next, promise, ask } = paragraphs;
  const why = isImported ? whyImported : paragraphs.why;
  const privacyUrl = `${siteUrl}/privacy`;
  const sender = senderLine(controller);
  return {
    subject: title,
    text: [
      greeting,
      joined,
      launchUrl === undefined ? next : `${launched.lead} ${launchUrl}`,
      promise,
      ask,
      `${site.name}\n${siteUrl}`,
      `--\n${why}`,
      `${labels.unsubscribe}: ${unsubscribeUrl}\n${labels.data}: ${dataUrl}\n${labels.privacy}: ${privacyUrl}`,
      sender,
    ].join("\n\n"),
    html: emailHtml({
      title,
      siteUrl,
      children: (
        <>
          <EmailHeading>{greeting}</EmailHeading>
          <EmailParagraph>{joined}</EmailParagraph>
          <EmailParagraph>
            {launchUrl === undefined
              ? next
              : [
                  `${launched.lead} `,
                  <EmailLink key="launch" href={launchUrl}>
                    {launched.button}
                  </EmailLink>,
                ]}
          </EmailParagraph>
          <EmailParagraph>{promise}</EmailParagraph>
          <EmailParagraph>{ask}</EmailParagraph>
        </>
      ),
      footer: (
        <>
          <EmailParagraph small>{why}</EmailParagraph>
          <EmailParagraph small>
            <EmailLink href={unsubscribeUrl}>{labels.unsubscribe}</EmailLink>
            {" · "}
            <EmailLink href={dataUrl}>{labels.data}</EmailLink>
            {" · "}
            <EmailLink href={privacyUrl}>{labels.privacy}</EmailLink>
          </EmailParagraph>
          <EmailParagraph small>{sender}</EmailParagraph>
        </>
      ),
    }),
  };
}
