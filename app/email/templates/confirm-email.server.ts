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

/** Asks a new subscriber to confirm their address. Holds no promotion, because consent is not proven yet. */
export function confirmEmail(props: EntryEmailProps): EmailContent {
  return askToConfirm(props, props.wording ?? confirmWording);
}

/** The one reminder of {@link confirmEmail}. */
export function confirmReminderEmail(props: EntryEmailProps): EmailContent {
  return askToConfirm(props, props.wording ?? confirmReminderWording);
}

function askToConfirm(props: EntryEmailProps, { subject, heading, body }: Wording): EmailContent {
  return {
    subject,
    siteUrl: null,
    pictures: props.siteUrl,
    heading,
    blocks: [
      ...readWording(body),
      button("Confirm my address", props.confirmUrl),
      `If you didn’t enter it, ignore this email. We send no news to unconfirmed addresses, and erase them ${CONFIRM_DAYS} days after they were entered.`,
    ],
    footer: [sender(props.controller)],
  };
}
