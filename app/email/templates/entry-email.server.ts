import { type Link, link, links } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import type { Wording } from "#app/email/wordings/wording.ts";
import { site } from "#app/site.ts";

/** What the templates of emails to entries get. */
export interface EntryEmailProps {
  siteUrl: string;
  launchUrl?: string | undefined;
  /** URL of the page about the recipient's entry, for 30 days. */
  dataUrl: string;
  /** URL of the page that confirms the recipient's address. */
  confirmUrl: string;
  /** URL of the page that unsubscribes and can do nothing else. It never expires. */
  unsubscribeUrl: string;
  controller: Controller;
  /** Whether an owner added the recipient, by hand or from a file. */
  wasAddedByOwner?: boolean;
  /** The personal link, with which the recipient of a welcome email brings friends; undefined if there are no such links. */
  personalUrl?: string | undefined;
  /** Where and when the recipient gave the address, if not on the site: see `whereGiven`. */
  whereGiven?: string | null;
  /** The version of the consent wording that the recipient agreed to; null if none is stated. */
  consentVersion?: string | null;
  /** When the email was queued (milliseconds since 1970), the same for all attempts. */
  queuedAt?: number;
  /** What was stored with the email. */
  data?: object | null;
  /** An owner's words in place of the original ones. */
  wording?: Wording | null;
}

/** Who is responsible for the recipient's data: name and postal address. */
export interface Controller {
  name: string;
  address: string;
}

/** The small print of most emails to entries. @param why the recipient gets the email */
export function entryFooter(
  { siteUrl, controller }: Pick<EntryEmailProps, "siteUrl" | "controller">,
  why?: string,
  ...more: Link[]
): EmailContent["footer"] {
  const row = links(...more, link("Privacy policy", `${siteUrl}/privacy`));
  return [...(why === undefined ? [] : [why]), row, sender(controller)];
}

/** Who sends an email, with the postal address on one line. */
export function sender({ name, address }: Controller): string {
  return `Sent by ${site.name}: ${name}, ${address.replace(/\s*\n\s*/g, ", ")}.`;
}
