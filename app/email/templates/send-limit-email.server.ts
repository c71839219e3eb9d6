import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type OwnerEmailProps, ownerNews } from "#app/email/templates/owner-email.server.ts";

interface SendLimitData {
  /** The send limit: emails per hour. */
  perHour: number;
  /** Emails waiting for it. */
  waiting: number;
}

/** Tells the owner that emails wait for the send limit. */
export function sendLimitEmail({ perHour, waiting }: SendLimitData, props: OwnerEmailProps): EmailContent {
  const limit = `${perHour.toLocaleString("en-GB")} ${perHour === 1 ? "email" : "emails"}`;
  const paragraphs = [
    `The site has reached its send limit of ${limit} an hour. Emails waiting: ${waiting.toLocaleString("en-GB")}.`,
    "Nothing is lost. They will be sent automatically as soon as the limit allows.",
    "If you expected many sign-ups, raise MAIL_PER_HOUR. If you didn't, someone may be entering other people's addresses. Your overview shows which attempts were blocked.",
    "You get this email at most once an hour.",
  ];
  return ownerNews("Emails are waiting", paragraphs, props);
}
