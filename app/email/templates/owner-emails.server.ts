import { button, link, links } from "#app/email/blocks/blocks.ts";
import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import type { Reason } from "#app/email/email-stats.server.ts";
import { eventLimits } from "#app/email/limits.ts";
import { emailReasonText, reasonSettings } from "#app/server/db/email-reasons.ts";
import type { EpochMillis } from "#app/server/time/units.ts";
import { site } from "#app/site.ts";

/* The emails to the owner, and what all of them have in common. */

export interface OwnerEmailProps {
  siteUrl: string;
  timeZone: string;
  signInUrl: string;
}

function ownerNews(heading: string, paragraphs: string[], { siteUrl }: { siteUrl: string }): EmailContent {
  return {
    subject: `${site.name}: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`,
    siteUrl,
    heading,
    blocks: [...paragraphs, links(link("Open the owner’s pages", `${siteUrl}/owner`))],
    footer,
  };
}

const footer = ["Sent to the owner of this site."];

function formatCount(value: number): string {
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

export interface AlertProps {
  /** Start of the period covered. */
  since: EpochMillis;
  /** Emails given up in the period, and the reasons for the newest dead ones. */
  dead: number;
  reasons: Reason[];
  /** Null unless far more attempts than usual were blocked on a day (UTC). */
  blocked: { day: string; count: number; usual: number } | null;
  /** Letters that need the owner, or wait for the provider's quota. */
  letters?: LetterAlert[];
  /** How many milestones were reached whose rewards are not marked as given; at most {@link MAX_MILESTONES}. */
  milestones?: number;
  /** Whether too many sign-up emails bounced, so that those to unverified sign-ups are paused. */
  held?: boolean;
}

export const MAX_MILESTONES = 100;

export interface LetterAlert {
  id: number;
  subject: string;
  /** The step of the series that it is; null for a letter. */
  stepId: number | null;
  reason: LetterAlertReason;
}

/**
 * `audience`: that is not as the owner confirmed it, at the time of the schedule; `missed`: its schedule; `unknown`: the
 * outcome of some of its emails.
 */
export type LetterAlertReason =
  | "complaints"
  | "bounces"
  | "configuration"
  | "quota"
  | "audience"
  | "missed"
  | "unknown";

export function alertEmail(alert: AlertProps, props: OwnerEmailProps): EmailContent {
  const { dead, reasons, blocked, letters = [], held: isPaused = false, milestones = 0 } = alert;
  const paragraphs = [
    ...letters.map(
      ({ id, subject, stepId, reason }) =>
        `“${subject}”: ${letterText[reason]} ${props.siteUrl}/owner/${stepId === null ? `letters/${id}` : `series/${stepId}`}`,
    ),
    ...(isPaused ? pausedParagraphs : []),
    ...emailParagraphs(dead, reasons),
    ...attemptParagraphs(blocked),
    ...milestoneParagraphs(milestones, props.siteUrl),
    "You get this email at most once an hour.",
  ];
  return ownerNews(headingOf(alert), paragraphs, props);
}

function headingOf({ letters = [], held: isPaused = false, dead, blocked }: AlertProps): string {
  if (letters.length > 0) {
    return letters.every(({ stepId }) => stepId !== null)
      ? "A follow-up email needs your attention"
      : "A letter needs your attention";
  }
  if (isPaused) return "Too many emails bounce";
  if (dead > 0) return "Emails are failing";
  return blocked === null ? "Rewards to give" : "Many attempts were blocked";
}

const letterText: Record<LetterAlertReason, string> = {
  complaints: "Too many recipients reported it as spam, so it was paused. Find out why before you resume it.",
  bounces:
    "Too many of its emails bounced, so it was paused. Check where these addresses came from before you resume it.",
  configuration: "It could not be sent, so it was paused. Its page says why. Resume it once that is fixed.",
  quota: "Your email provider’s quota is used up. Sending resumes when the quota renews.",
  audience:
    "It has not started at the time you had set, because far more people match than you confirmed, or no one does. Its page says how many. Send it to them, or change it.",
  missed: "It could not be sent at the time you had set, more than an hour ago. Choose whether to send it now.",
  unknown:
    "The email provider did not confirm some of its emails. Decide whether they are sent again or count as sent.",
};

const pausedParagraphs = [
  `Too many sign-up emails bounced: at least ${eventLimits.bounces.count} within a day, and more than ${100 * eventLimits.bounces.share}% of that day’s. Someone may be entering addresses that do not exist. Emails to sign-ups that Turnstile has not verified now wait. All others are sent, and nobody is refused.`,
  "Look at the newest entries, and choose Release emails on your overview once they look right.",
  "Advanced: if you have not set up Turnstile, do so. docs/abuse.md says how.",
];

function emailParagraphs(dead: number, reasons: Reason[]): string[] {
  if (dead === 0) return [];
  const settings = reasonSettings(reasons.map(({ reason }) => reason));
  const why = reasons
    .slice(0, 3)
    .map(({ reason, emails }) => `${emailReasonText(reason) ?? "No reason recorded"} (${emails})`);
  return [
    `${formatCount(dead)} ${dead === 1 ? "email has" : "emails have"} failed. Most frequent reasons: ${why.join("; ")}.`,
    "Once the cause is fixed, choose Try again on your overview.",
    ...(settings === null ? [] : [`Advanced: ${settings}`]),
  ];
}

function attemptParagraphs(blocked: AlertProps["blocked"]): string[] {
  if (blocked === null) return [];
  return [
    `Attempts blocked so far on ${blocked.day} (UTC): ${formatCount(blocked.count)}. The daily average of the week before was ${formatCount(blocked.usual)}. Your overview shows the reasons.`,
    "You don’t need to do anything: these attempts have been stopped.",
    "Advanced: if real visitors complain, or the attempts go on, turn on Turnstile (docs/abuse.md).",
  ];
}

function milestoneParagraphs(milestones: number, siteUrl: string): string[] {
  if (milestones === 0) return [];
  const number = milestones >= MAX_MILESTONES ? `At least ${MAX_MILESTONES}` : String(milestones);
  const reached = milestones === 1 ? "milestone was reached" : "milestones were reached";
  return [
    `${number} ${reached} by people who brought friends. The page says who gets which reward, and lets you mark it as given: ${siteUrl}/owner/referrals`,
  ];
}

export interface SettingsChangedProps {
  /** The address of the owner who did it; null for the command line. */
  by: string | null;
  at: EpochMillis;
  changes: { label: string; from: string; to: string }[];
}

/** To every owner from before and after the change, so that no owner is removed, and no protection weakened, unnoticed. */
export function settingsChangedEmail({ by, at, changes }: SettingsChangedProps, props: OwnerEmailProps): EmailContent {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: props.timeZone });
  const paragraphs = [
    `${by ?? "Someone with access to the database"} changed this on ${format.format(at)} (${props.timeZone}):`,
    ...changes.map(({ label, from, to }) => `${label}: ${to}. Before: ${from}.`),
    "If you or another owner did this, there’s nothing to do.",
    "If not, someone else may be signed in. Open Settings, then Owners: remove that owner, or sign them out, and set this back. If you can no longer sign in, tell the other owners, or the person who looks after the site.",
    "Advanced: docs/security.md says how to get in without an email, and what to check.",
  ];
  return ownerNews("Settings were changed", paragraphs, props);
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
