import { link, paragraph } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type EntryEmailProps, entryFooter } from "#app/email/templates/entry-email.server.ts";
import { launched, site } from "#app/site.ts";
import { consentWording } from "#app/waitlist/consent-wording.ts";

export function welcomeEmail(props: EntryEmailProps): EmailContent {
  const { siteUrl, launchUrl, dataUrl, unsubscribeUrl, isImported } = props;
  const why = isImported
    ? "you gave us this address for our waitlist, outside our site"
    : "someone entered this address on our site";
  return {
    subject: `You are on the ${site.name} waitlist`,
    siteUrl,
    heading: "Hello, and thank you for joining.",
    blocks: [
      `You are on the ${site.name} waitlist, as one of our ${site.pioneer.many}: the ${site.host.many} and ${site.stallholder.many} who get early access and have a say in what we build.`,
      launchUrl === undefined
        ? `We are building a place where ${site.host.label} and craft ${site.stallholder.many} find each other by date, distance and what each of them needs. We're aiming to launch ${site.launch}.`
        : paragraph(`${launched.lead} `, link(launched.button, launchUrl)),
      `${consentWording} This is the welcome email.`,
      "One thing would help us now. Reply to this email and tell us which part of running a stall, or of finding one for your event, is the hardest. The owner reads every reply.",
    ],
    footer: entryFooter(
      props,
      `You are receiving this email because ${why}. If it wasn't you, or you have changed your mind, you can unsubscribe or erase your entry at any time.`,
      link("Unsubscribe", unsubscribeUrl),
      link("See or erase your entry", dataUrl),
    ),
  };
}
