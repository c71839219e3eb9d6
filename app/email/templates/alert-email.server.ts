import type { EmailContent } from "#app/email/blocks/render-content.server.ts";
import type { Reason } from "#app/email/email-stats.server.ts";
import { eventLimits } from "#app/email/limits.ts";
import { formatCount, type OwnerEmailProps, ownerNews } from "#app/email/templates/owner-emails.server.ts";
import { emailReasonText, reasonSettings } from "#app/server/db/email-reasons.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

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

/** `missed`: its schedule; `unknown`: the outcome of some of its emails. */
export type LetterAlertReason = "complaints" | "bounces" | "configuration" | "quota" | "missed" | "unknown";

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
