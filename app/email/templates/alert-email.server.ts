import { reasonText } from "#app/email/reasons.ts";
import { ownerEmailTemplate } from "#app/email/templates/owner-email.server.tsx";
import type { Reason } from "#app/owner/stats.server.ts";

export interface AlertProps {
  /** Start of the period covered (milliseconds since 1970). */
  since: number;
  /** Emails given up in the period, and the reasons for the newest dead ones. */
  dead: number;
  reasons: Reason[];
  /** Null unless far more attempts than usual were blocked on a day (UTC). */
  blocked: { day: string; count: number; usual: number } | null;
}

/** Tells the owner about dead emails and unusual numbers of blocked attempts. */
export function alertEmail({ dead, reasons, blocked }: AlertProps, { siteUrl }: { siteUrl: string }) {
  const heading = dead > 0 ? "Mail does not arrive" : "Many tries were turned away";
  return ownerEmailTemplate({
    siteUrl,
    subject: dead > 0 ? "mail does not arrive" : "many tries were turned away",
    heading,
    paragraphs: [
      ...emailParagraphs(dead, reasons),
      ...attemptParagraphs(blocked),
      "This mail comes once an hour at most.",
    ],
  });
}

function emailParagraphs(dead: number, reasons: Reason[]): string[] {
  if (dead === 0) return [];
  const why = reasons.slice(0, 3).map(({ reason, emails }) => `${reasonText(reason) ?? "no reason noted"} (${emails})`);
  return [
    `Given up after the last try: ${dead} ${dead === 1 ? "mail" : "mails"}. Why, most frequent first: ${why.join("; ")}.`,
    "Once the reason is gone, open the entries in question and send their mail again, or give all of it another round with: npm run owner -- outbox retry --remote",
  ];
}

function attemptParagraphs(blocked: AlertProps["blocked"]): string[] {
  if (blocked === null) return [];
  return [
    `Sign-ups turned away on ${blocked.day} (UTC) so far: ${blocked.count}; on the days before it was ${blocked.usual} on average. Your overview shows the reasons.`,
    "Nothing has to be done for them to be turned away. If real visitors complain, or it does not end, configure Turnstile.",
  ];
}
