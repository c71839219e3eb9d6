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
    subject: "mail is waiting",
    heading: "Mail is waiting",
    paragraphs: [
      `The site has sent ${perHour} mails within an hour, which is its ceiling. Waiting for their turn: ${held}.`,
      "Nothing is lost: they go out by themselves as the hour moves on, oldest first.",
      "If many people are joining because of something you did, raise MAIL_PER_HOUR. If you cannot think of a reason, somebody may be entering addresses that are not theirs; your overview shows what was turned away.",
      "This mail comes once an hour at most.",
    ],
  });
}
