import { button, link, links } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { site } from "#app/site.ts";

/* The emails to the owner, but for the alert, and what all of them have in common. */

export interface OwnerEmailProps {
  siteUrl: string;
  timeZone: string;
  signInUrl: string;
}

export function ownerNews(heading: string, paragraphs: string[], { siteUrl }: { siteUrl: string }): EmailContent {
  return {
    subject: `${site.name}: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`,
    siteUrl,
    heading,
    blocks: [...paragraphs, links(link("Open the owner’s pages", `${siteUrl}/owner`))],
    footer,
  };
}

const footer = ["Sent to the owner of this site."];

export function formatCount(value: number): string {
  return value.toLocaleString("en-GB");
}

export function signInEmail(_data: object, { siteUrl, signInUrl }: OwnerEmailProps): EmailContent {
  return {
    subject: `Sign in to ${site.name}`,
    siteUrl,
    heading: "Sign in",
    blocks: [
      "This link opens a page where you can sign in to see who joined. It works once, within 15 minutes.",
      button("Sign in", signInUrl),
      "If you didn’t ask for it, someone else entered your address. They can’t sign in without this email, so just delete it.",
    ],
    footer,
  };
}

export interface DigestProps {
  /** The period covered, `until` exclusive. A `from` of 0 means since the beginning. */
  from: EpochMillis;
  until: EpochMillis;
  /** People who joined in the period, with those who are {@link late}. */
  joined: number;
  /** People who were added since the last digest and had joined before the period, such as on a tablet that was offline. */
  late?: number;
  active: number;
  waiting: number;
  dead: number;
}

/** The owner's daily digest: how many joined, not who. */
export function digestEmail(digest: DigestProps, props: OwnerEmailProps): EmailContent {
  const { joined, active, waiting, dead } = digest;
  const paragraphs = [
    `${joinedText(digest, props.timeZone)} On the waitlist now: ${formatCount(active)}.`,
    ...(waiting > 0 ? [`Emails waiting: ${formatCount(waiting)}.`] : []),
    ...(dead > 0
      ? [`Emails that failed: ${formatCount(dead)}. Your overview says why, and you can try again there.`]
      : []),
    "You get this email at most once a day, and only if someone joined.",
  ];
  return ownerNews(`${joined === 1 ? "One person" : `${formatCount(joined)} people`} joined`, paragraphs, props);
}

function joinedText(digest: DigestProps, timeZone: string): string {
  const when = `joined the waitlist ${period(digest, timeZone)}`;
  const { joined, late = 0 } = digest;
  if (late === 0) return `They ${when}.`;
  const why = "added since, such as from a tablet that was offline.";
  if (late === joined) return `They joined earlier and were ${why}`;
  const were = late === 1 ? "was" : "were";
  return `${formatCount(joined - late)} ${when}. ${formatCount(late)} joined earlier and ${were} ${why}`;
}

/** `on 20 November 2026`, or from day to day, in the owner's time zone. */
function period({ from, until }: DigestProps, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone });
  const last = format.format(until - 1);
  if (from === 0) return `up to ${last}`;
  const first = format.format(from);
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
}

/** `unverifiedPerHour`: the half of it that unverified sign-ups get, if only that is reached, because Turnstile is not configured. */
export function sendLimitEmail(
  data: { perHour: number; waiting: number; unverifiedPerHour?: number },
  props: OwnerEmailProps,
): EmailContent {
  const { perHour, unverifiedPerHour } = data;
  const [limit, waiting] = [perHour, data.waiting].map(formatCount);
  const paragraphs =
    unverifiedPerHour === undefined
      ? [
          `The site has reached its send limit of ${limit} ${perHour === 1 ? "email" : "emails"} an hour. Emails waiting: ${waiting}.`,
          "Nothing is lost. They will be sent automatically as soon as the limit allows.",
          "If you didn’t expect many sign-ups, someone may be entering other people’s addresses. Your overview shows which attempts were blocked.",
          "Advanced: to send more in an hour, raise MAIL_PER_HOUR (docs/email.md).",
        ]
      : [
          `Without Turnstile, the site cannot tell sign-ups by people from those by programs. So at most half of the send limit of ${limit} emails an hour goes to new sign-ups: ${formatCount(unverifiedPerHour)}. That many were sent. Emails waiting: ${waiting}.`,
          "Nobody is refused and nothing is lost. They will be sent automatically, in turn by network, so one network that enters many addresses does not delay the others.",
          "Advanced: to lift this limit, set up Turnstile. In Cloudflare’s dashboard, open Turnstile and choose Add widget. Enter your domain and the mode Managed. Set TURNSTILE_SITE_KEY and TURNSTILE_SECRET in deploy.env, and deploy the site again.",
        ];
  return ownerNews("Emails are waiting", [...paragraphs, "You get this email at most once an hour."], props);
}

/** Tells the owner that D1 refuses queries. Not queued, because the outbox is in the same database. */
export function dailyQuotaEmail(props: { siteUrl: string }): EmailContent {
  const paragraphs = [
    "What your site’s database may do in a day is used up. It works again after midnight UTC.",
    "Until then nobody can join, and people who try are told when they can. Links in emails may not work, visits are not counted, and emails wait. Nothing that was stored is lost.",
    "If you did not expect so many visitors, someone may be flooding the site: your overview shows blocked attempts.",
    "Advanced: Cloudflare’s free plan includes 100,000 rows written and 5,000,000 rows read a day in D1, its database. The Workers Paid plan has no daily limit.",
    "You get this email at most once a day.",
  ];
  return ownerNews("The database’s daily quota is used up", paragraphs, props);
}
