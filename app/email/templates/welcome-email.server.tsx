import type { TemplateProps } from "#app/email/render-email.server.ts";
import { EmailHeading, EmailLink, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { site } from "#app/site.ts";

const title = `You are on the ${site.name} waitlist`;

const paragraphs = {
  greeting: "Hello, and thank you.",
  joined: `You are on the ${site.name} waitlist, as one of the Pioneers: the hosts and makers who see it first and have a say in what it becomes.`,
  next: `We are building a place where event hosts and craft stallholders find each other by date, by distance and by what each of them needs. The first version opens ${site.launch}. When your turn comes, we write to this address; until then you hear from us only when there is something worth your time.`,
  ask: "One thing would help us now: reply to this mail and tell us the part of running a stall, or of finding one for your event, that costs you the most patience. The owner reads every answer.",
  why: "You get this email because this address was entered on our site. If that was not you, or you have changed your mind, you can leave at any time:",
} as const;

export function welcomeEmail({ siteUrl, dataUrl, unsubscribeUrl }: TemplateProps) {
  const { greeting, joined, next, ask, why } = paragraphs;
  const signature = `${site.name}\n${siteUrl}`;
  return {
    subject: title,
    text: [
      greeting,
      joined,
      next,
      ask,
      signature,
      `--\n${why}\n\nUnsubscribe: ${unsubscribeUrl}\nSee or erase your entry: ${dataUrl}\n\n${siteUrl}/privacy`,
    ].join("\n\n"),
    html: emailHtml({
      title,
      siteUrl,
      children: (
        <>
          <EmailHeading>{greeting}</EmailHeading>
          <EmailParagraph>{joined}</EmailParagraph>
          <EmailParagraph>{next}</EmailParagraph>
          <EmailParagraph>{ask}</EmailParagraph>
        </>
      ),
      footer: (
        <>
          <EmailParagraph small>
            {why} <EmailLink href={unsubscribeUrl}>unsubscribe</EmailLink>,{" "}
            <EmailLink href={dataUrl}>see or erase your entry</EmailLink>
          </EmailParagraph>
          <EmailParagraph small>
            <EmailLink href={`${siteUrl}/privacy`}>How we look after your address</EmailLink>
          </EmailParagraph>
        </>
      ),
    }),
  };
}
