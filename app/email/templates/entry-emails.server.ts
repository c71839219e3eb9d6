import { button, type Link, link, links } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type EmailWording, plain, readWording } from "#app/email/templates/wording.ts";
import { everyMilestone } from "#app/server/config/settings.server.ts";
import type { EmailContext } from "#app/server/context.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { site } from "#app/site.ts";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation/confirmation.ts";

/* The emails to people on the list, but for the welcome email, and what all of them and letters have in common. */

export interface EntryEmailProps {
  siteUrl: string;
  launchUrl?: string | undefined;
  /** URL of the page about the recipient's entry, for 30 days. */
  dataUrl: string;
  confirmUrl: string;
  /** URL of the page that unsubscribes and can do nothing else. It never expires. */
  unsubscribeUrl: string;
  controller: EmailContext["controller"];
  wasAddedByOwner?: boolean;
  /** The personal link, with which the recipient of a welcome email brings friends; undefined if there are no such links. */
  personalUrl?: string | undefined;
  whereGiven?: string | null;
  /** The version of the consent wording that the recipient agreed to; null if none is stated. */
  consentVersion?: string | null;
  /** When the email was queued, the same for all attempts. */
  queuedAt?: EpochMillis;
  data?: object | null;
  wording?: EmailWording | null;
}

export function entryFooter(
  { siteUrl, controller }: Pick<EntryEmailProps, "siteUrl" | "controller">,
  why?: string,
  ...more: Link[]
): EmailContent["footer"] {
  const row = links(...more, link("Privacy policy", `${siteUrl}/privacy`));
  return [...(why === undefined ? [] : [why]), row, sender(controller)];
}

function sender({ name, address }: EntryEmailProps["controller"]): string {
  return `Sent by ${site.name}: ${name}, ${address.replace(/\s*\n\s*/g, ", ")}.`;
}

/** The headers by which email clients offer to unsubscribe with one click (RFC 8058). */
export function unsubscribeHeaders(oneClickUrl: string): Record<string, string> {
  // RFC 8058 requires https, and Cloudflare rejects emails that use another scheme.
  if (!oneClickUrl.startsWith("https:")) return {};
  return { "List-Unsubscribe": `<${oneClickUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/**
 * `at Spring Fair, on 26 November 2026 at 14:05`; null if it was on the site. `data`: what is stored with the email; if
 * someone joined at an event, its name and when.
 */
export function whereGiven(data: object | null, timeZone: string): string | null {
  const { event, at } = (data ?? {}) as { event?: string; at?: EpochMillis };
  if (event === undefined || at === undefined) return null;
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone }).format(at);
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(at);
  return `at ${event}, on ${day} at ${time}`;
}

export function confirmWording(wasAddedByOwner = false): EmailWording {
  const how = wasAddedByOwner
    ? `The owner of ${site.name} added this address to the waitlist`
    : `Someone entered this address to join the ${site.name} waitlist`;
  return {
    subject: `Please confirm your address for the ${site.name} waitlist`,
    heading: "Is this your address?",
    body: plain(`${how}. Please confirm that it’s yours.`),
  };
}

export function confirmReminderWording(wasAddedByOwner = false): EmailWording {
  const how = wasAddedByOwner
    ? `the owner of ${site.name} added this address to the waitlist`
    : `someone entered this address to join the ${site.name} waitlist`;
  return {
    ...confirmWording(),
    subject: `Reminder: please confirm your address for the ${site.name} waitlist`,
    body: plain(
      `A few days ago, ${how}. It hasn’t been confirmed yet. If it’s yours, please confirm it. This is our only reminder.`,
    ),
  };
}

/** Asks a new subscriber to confirm their address. Holds no promotion, because consent is not proven yet. */
export const confirmEmail = askToConfirm(confirmWording);

export const confirmReminderEmail = askToConfirm(confirmReminderWording);

function askToConfirm(originalOf: (wasAddedByOwner?: boolean) => EmailWording) {
  return (props: EntryEmailProps): EmailContent => {
    const { subject, heading, body } = props.wording ?? originalOf(props.wasAddedByOwner);
    return {
      subject,
      siteUrl: null,
      pictures: props.siteUrl,
      heading,
      blocks: [...readWording(body), button("Confirm my address", props.confirmUrl), ifNotYours(props)],
      footer: [sender(props.controller)],
    };
  };
}

/** Also says where the address was given, and who added it, if an owner's words may not: they are the same for everyone. */
function ifNotYours({ wasAddedByOwner, whereGiven = null, wording }: EntryEmailProps): string {
  const erased = `We send no news to unconfirmed addresses, and erase them ${CONFIRM_DAYS} days after they were`;
  const where = whereGiven === null ? "" : `This address was entered ${whereGiven}. `;
  if (!wasAddedByOwner) return `${where}If you didn’t enter it, ignore this email. ${erased} entered.`;
  const who = wording ? `The owner of ${site.name} added this address to the waitlist. ` : "";
  return `${who}If you didn’t give it to us, ignore this email. ${erased} added.`;
}

export const rejoinSubject = `Do you want to rejoin the ${site.name} waitlist?`;

/** Asks an unsubscribed address that was entered again: the form cannot know who typed it. */
export function rejoinEmail(props: EntryEmailProps): EmailContent {
  return {
    subject: rejoinSubject,
    siteUrl: props.siteUrl,
    heading: "Was that you?",
    blocks: [
      `Someone entered this address ${props.whereGiven ?? `on ${site.name}`}. You had unsubscribed from our waitlist, so we won’t add it again unless you say so.`,
      "If it was you, you can rejoin on the page about your entry. There you can also tell us never to email this address again.",
      button("Rejoin the waitlist", props.dataUrl),
      "If it wasn’t you, there’s nothing to do. You stay off the waitlist, and we won’t ask again.",
    ],
    footer: entryFooter(props),
  };
}

export function myDataLinkEmail(props: EntryEmailProps): EmailContent {
  return {
    subject: `Your new link to your ${site.name} entry`,
    siteUrl: props.siteUrl,
    heading: "Your new link",
    blocks: [
      "Someone with an old link to your entry asked for a new one. The new link shows what we store about you, and works for 30 days.",
      button("See your entry", props.dataUrl),
      "If it wasn’t you, ignore this email. Nothing has changed.",
    ],
    footer: entryFooter(props),
  };
}

export function milestoneEmail(props: EntryEmailProps): EmailContent {
  const { friends = 0 } = (props.data ?? {}) as { friends?: number };
  const reward = everyMilestone().find((milestone) => milestone.friends === friends)?.reward;
  const people = friends === 1 ? "One friend has" : `${friends} friends have`;
  return {
    subject: `${people} joined ${site.name} through your link`,
    siteUrl: props.siteUrl,
    heading: "Thank you for inviting friends",
    blocks: [
      `${people} joined the waitlist through your personal link.${reward === undefined ? "" : ` As a thank-you, you get ${reward}.`}`,
      "You don’t need to do anything. We’ve made a note of it, and it stays yours even if a friend leaves later. We’ll be in touch when it’s due.",
      button("See your entry", props.dataUrl),
    ],
    footer: entryFooter(
      props,
      "You’re receiving this email because you’re on our waitlist and friends have joined through your personal link.",
      link("Unsubscribe", props.unsubscribeUrl),
      link("See or erase your entry", props.dataUrl),
    ),
  };
}
