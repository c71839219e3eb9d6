import { ownerEmailTemplate } from "#app/email/templates/owner-email.server.tsx";

export interface SendLimitProps {
  /** The send limit: emails per hour. */
  perHour: number;
  /** Emails waiting for it. */
  held: number;
}

/** Tells the owner that emails wait for the send limit. */
export function sendLimitEmail({ perHour, held }: SendLimitProps, { siteUrl }: { siteUrl: string }) {
  return ownerEmailTemplate({
    siteUrl,
    subject: "emails are waiting",
    heading: "Emails are waiting",
    paragraphs: [
      `The site has reached its send limit of ${number(perHour)} ${perHour === 1 ? "email" : "emails"} an hour. Emails waiting: ${number(held)}.`,
      "Nothing is lost. They will be sent automatically as soon as the limit allows.",
      "If you expected many sign-ups, raise MAIL_PER_HOUR. If you didn't, someone may be entering other people's addresses. Your overview shows which attempts were blocked.",
      "You get this email at most once an hour.",
    ],
  });
}

function number(value: number): string {
  return value.toLocaleString("en-GB");
}
