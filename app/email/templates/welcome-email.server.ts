import { button, link, paragraph } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type EntryEmailProps, entryFooter } from "#app/email/templates/entry-emails.server.ts";
import { type EmailWording, plain, readWording } from "#app/email/templates/wording.ts";
import { currentLaunchSentence } from "#app/server/config/settings.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { launched, site } from "#app/site.ts";
import { consentText, newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";

export function welcomeEmail(props: EntryEmailProps): EmailContent {
  const { siteUrl, launchUrl, dataUrl, unsubscribeUrl, personalUrl, wasAddedByOwner, queuedAt = 0 } = props;
  const promise = consentText(props.consentVersion ?? null) ?? newsOnly.text;
  const { subject, heading, body } = props.wording ?? welcomeWording({ launchUrl, promise, now: queuedAt });
  const why = wasAddedByOwner
    ? "you gave us this address for our waitlist, outside our site"
    : `someone entered this address ${props.whereGiven ?? "on our site"}`;
  return {
    subject,
    siteUrl,
    pictures: siteUrl,
    heading,
    blocks: [
      ...readWording(body),
      launchUrl === undefined ? button("See what we’re building", siteUrl) : button(launched.button, launchUrl),
      ...(launchUrl === undefined && personalUrl !== undefined
        ? [
            paragraph(
              "Know someone who would like this too? Send them ",
              link("your personal link", personalUrl),
              " so that they can join.",
            ),
          ]
        : []),
    ],
    footer: entryFooter(
      props,
      `You’re receiving this email because ${why}. If it wasn’t you, or you’ve changed your mind, you can unsubscribe or erase your entry at any time.`,
      link("Unsubscribe", unsubscribeUrl),
      link("See or erase your entry", dataUrl),
    ),
  };
}

/** @param occasion.promise the text of the consent wording that readers agreed to */
export function welcomeWording(occasion: {
  launchUrl: string | undefined;
  promise: string;
  now: EpochMillis;
}): EmailWording {
  const { launchUrl, promise, now } = occasion;
  const sentence = currentLaunchSentence(now);
  const launch = sentence === null ? "" : ` ${sentence}`;
  const paragraphs = [
    `Thank you for joining. You’re on the ${site.name} waitlist, among the ${site.host.many} and ${site.stallholder.many} who get early access and have a say in what we build.`,
    launchUrl === undefined
      ? `We’re building a place where ${site.host.label} and craft ${site.stallholder.many} find each other by date, distance and what each of them needs.${launch}`
      : launched.lead,
    `${promise} This is the welcome email.`,
    "One thing would help us now. Reply to this email and tell us which part of running a stall, or of finding one for your event, is the hardest. The owner reads every reply.",
  ];
  return {
    subject: `You’re on the ${site.name} waitlist`,
    heading: `You’re ${site.pioneer.one}`,
    body: paragraphs.map(plain).join("\n\n"),
  };
}
