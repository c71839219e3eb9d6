import { button } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type EntryEmailProps, sender } from "#app/email/templates/entry-email.server.ts";
import { plain, readWording } from "#app/email/wordings/read-wording.ts";
import type { Wording } from "#app/email/wordings/wording.ts";
import { site } from "#app/site.ts";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation.ts";

const heading = "Is this your address?";

/** The original words of {@link confirmEmail}. */
export const confirmWording: Wording = {
  subject: `Please confirm your address for the ${site.name} waitlist`,
  heading,
  body: plain(`Someone entered this address to join the ${site.name} waitlist. Please confirm that it is yours.`),
};

/** The original words of {@link confirmReminderEmail}. */
export const confirmReminderWording: Wording = {
  subject: `Reminder: please confirm your address for the ${site.name} waitlist`,
  heading,
  body: plain(
    `A few days ago, someone entered this address to join the ${site.name} waitlist. It has not been confirmed yet. If it is yours, please confirm it. This is our only reminder.`,
  ),
};

/** The same for people whom an owner added, by hand or from a file. */
const toAdded = {
  confirm: {
    ...confirmWording,
    body: plain(`The owner of ${site.name} added this address to the waitlist. Please confirm that it is yours.`),
  },
  reminder: {
    ...confirmReminderWording,
    body: plain(
      `A few days ago, the owner of ${site.name} added this address to the waitlist. It has not been confirmed yet. If it is yours, please confirm it. This is our only reminder.`,
    ),
  },
};

/** Asks a new subscriber to confirm their address. Holds no promotion, because consent is not proven yet. */
export function confirmEmail(props: EntryEmailProps): EmailContent {
  return askToConfirm(props, props.wasAddedByOwner ? toAdded.confirm : confirmWording);
}

/** The one reminder of {@link confirmEmail}. */
export function confirmReminderEmail(props: EntryEmailProps): EmailContent {
  return askToConfirm(props, props.wasAddedByOwner ? toAdded.reminder : confirmReminderWording);
}

function askToConfirm(props: EntryEmailProps, original: Wording): EmailContent {
  const { subject, heading, body } = props.wording ?? original;
  return {
    subject,
    siteUrl: null,
    pictures: props.siteUrl,
    heading,
    blocks: [...readWording(body), button("Confirm my address", props.confirmUrl), ifNotYours(props)],
    footer: [sender(props.controller)],
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
