import type { TemplateProps } from "#app/email/render-email.server.ts";
import { EmailButton, EmailHeading, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { senderLine } from "#app/email/templates/sender.ts";
import { site } from "#app/site.ts";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation.ts";

/** Asks a new subscriber to confirm their address. Holds no promotion, because consent is not proven yet. */
export function confirmEmail(props: TemplateProps) {
  return confirmTemplate(props, {
    subject: `Please confirm your address for the ${site.name} waitlist`,
    what: `Someone entered this address to join the ${site.name} waitlist. Please confirm that it is yours.`,
  });
}

/** The one reminder of {@link confirmEmail}. */
export function confirmReminderEmail(props: TemplateProps) {
  return confirmTemplate(props, {
    subject: `Reminder: please confirm your address for the ${site.name} waitlist`,
    what: `A few days ago, someone entered this address to join the ${site.name} waitlist. It has not been confirmed yet. If it is yours, please confirm it. This is our only reminder.`,
  });
}

const heading = "Is this your address?";
const otherwise = `If you didn't enter it, ignore this email. We send no news to unconfirmed addresses, and erase them ${CONFIRM_DAYS} days after they were entered.`;
const label = "Confirm my address";

function confirmTemplate(
  { confirmUrl, controller }: TemplateProps,
  { subject, what }: { subject: string; what: string },
) {
  const sender = senderLine(controller);
  return {
    subject,
    text: [heading, what, `${label}: ${confirmUrl}`, otherwise, `--\n${site.name}\n${sender}`].join("\n\n"),
    html: emailHtml({
      title: subject,
      siteUrl: null,
      children: (
        <>
          <EmailHeading>{heading}</EmailHeading>
          <EmailParagraph>{what}</EmailParagraph>
          <EmailButton href={confirmUrl}>{label}</EmailButton>
          <EmailParagraph>{otherwise}</EmailParagraph>
        </>
      ),
      footer: <EmailParagraph small>{sender}</EmailParagraph>,
    }),
  };
}
