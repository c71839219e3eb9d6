import { button } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type EntryEmailProps, sender } from "#app/email/templates/entry-email.server.ts";
import { site } from "#app/site.ts";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation.ts";

/** Asks a new subscriber to confirm their address. Holds no promotion, because consent is not proven yet. */
export function confirmEmail(props: EntryEmailProps): EmailContent {
  return askToConfirm(props, {
    subject: `Please confirm your address for the ${site.name} waitlist`,
    what: `Someone entered this address to join the ${site.name} waitlist. Please confirm that it is yours.`,
  });
}

/** The one reminder of {@link confirmEmail}. */
export function confirmReminderEmail(props: EntryEmailProps): EmailContent {
  return askToConfirm(props, {
    subject: `Reminder: please confirm your address for the ${site.name} waitlist`,
    what: `A few days ago, someone entered this address to join the ${site.name} waitlist. It has not been confirmed yet. If it is yours, please confirm it. This is our only reminder.`,
  });
}

function askToConfirm(props: EntryEmailProps, { subject, what }: { subject: string; what: string }): EmailContent {
  return {
    subject,
    siteUrl: null,
    pictures: props.siteUrl,
    heading: "Is this your address?",
    blocks: [
      what,
      button("Confirm my address", props.confirmUrl),
      `If you didn’t enter it, ignore this email. We send no news to unconfirmed addresses, and erase them ${CONFIRM_DAYS} days after they were entered.`,
    ],
    footer: [sender(props.controller)],
  };
}
