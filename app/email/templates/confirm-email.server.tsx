import type { TemplateProps } from "#app/email/render-email.server.ts";
import { EmailButton, EmailHeading, EmailParagraph, emailHtml } from "#app/email/templates/email-layout.server.tsx";
import { site } from "#app/site.ts";
import { CONFIRM_DAYS } from "#app/waitlist/confirmation.ts";

/** Asks a new subscriber to confirm their address. Holds no promotion, because consent is not proven yet. */
export function confirmEmail(props: TemplateProps) {
  return confirmTemplate(props, {
    subject: `Please confirm your address for the ${site.name} waitlist`,
    what: `This address was entered on the ${site.name} waitlist. Please confirm that it is yours:`,
  });
}

/** The one reminder of {@link confirmEmail}. */
export function confirmReminderEmail(props: TemplateProps) {
  return confirmTemplate(props, {
    subject: `Reminder: please confirm your address for the ${site.name} waitlist`,
    what: `A few days ago this address was entered on the ${site.name} waitlist, and it is not confirmed yet. We remind you once. If it is yours, please confirm it:`,
  });
}

function confirmTemplate(
  { confirmUrl, controller }: TemplateProps,
  { subject, what }: { subject: string; what: string },
) {
  const heading = "Is this your address?";
  const otherwise = `If you did not enter it, ignore this email. We send no news to an address that is not confirmed, and erase it ${CONFIRM_DAYS} days after it was entered.`;
  const sender = `Sent by ${site.name}: ${controller.name}, ${controller.address.replace(/\s*\n\s*/g, ", ")}.`;
  return {
    subject,
    text: [heading, `${what}\n${confirmUrl}`, otherwise, `--\n${sender}`].join("\n\n"),
    html: emailHtml({
      title: subject,
      siteUrl: null,
      children: (
        <>
          <EmailHeading>{heading}</EmailHeading>
          <EmailParagraph>{what}</EmailParagraph>
          <EmailButton href={confirmUrl}>Confirm my address</EmailButton>
          <EmailParagraph>{otherwise}</EmailParagraph>
        </>
      ),
      footer: <EmailParagraph small>{sender}</EmailParagraph>,
    }),
  };
}
