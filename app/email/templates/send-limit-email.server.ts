import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import { type OwnerEmailProps, ownerNews } from "#app/email/templates/owner-email.server.ts";

interface SendLimitData {
  /** The send limit: emails per hour. */
  perHour: number;
  /** Emails waiting for it. */
  waiting: number;
  /** The half of it that unverified sign-ups get, if only that is reached, because Turnstile is not configured. */
  unverifiedPerHour?: number;
}

/** Tells the owner that emails wait for the send limit. */
export function sendLimitEmail(data: SendLimitData, props: OwnerEmailProps): EmailContent {
  const { perHour, waiting, unverifiedPerHour } = data;
  const limit = `${perHour.toLocaleString("en-GB")} ${perHour === 1 ? "email" : "emails"}`;
  if (unverifiedPerHour !== undefined) return ownerNews("Emails are waiting", brakeParagraphs(data), props);
  const paragraphs = [
    `The site has reached its send limit of ${limit} an hour. Emails waiting: ${waiting.toLocaleString("en-GB")}.`,
    "Nothing is lost. They will be sent automatically as soon as the limit allows.",
    "If you didn’t expect many sign-ups, someone may be entering other people’s addresses. Your overview shows which attempts were blocked.",
    "Advanced: to send more in an hour, raise MAIL_PER_HOUR (docs/email.md).",
    "You get this email at most once an hour.",
  ];
  return ownerNews("Emails are waiting", paragraphs, props);
}

/** The brake, and how to set up Turnstile, which lifts it. */
function brakeParagraphs({ perHour, waiting, unverifiedPerHour = 0 }: SendLimitData): string[] {
  const [half, limit] = [unverifiedPerHour.toLocaleString("en-GB"), perHour.toLocaleString("en-GB")];
  return [
    `Without Turnstile, the site cannot tell sign-ups by people from those by programs. So at most half of the send limit of ${limit} emails an hour goes to new sign-ups: ${half}. That many were sent. Emails waiting: ${waiting.toLocaleString("en-GB")}.`,
    "Nobody is refused and nothing is lost. They will be sent automatically, in turn by network, so one network that enters many addresses does not delay the others.",
    "Advanced: to lift this brake, set up Turnstile. In Cloudflare’s dashboard, open Turnstile and choose Add widget. Enter your domain and the mode Managed. Set TURNSTILE_SITE_KEY and TURNSTILE_SECRET in deploy.env, and deploy the site again.",
    "You get this email at most once an hour.",
  ];
}
