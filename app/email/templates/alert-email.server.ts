import { reasonText } from "#app/email/reasons.ts";
import { ownerEmailTemplate } from "#app/email/templates/owner-email.server.tsx";
import type { Reason } from "#app/owner/email-stats.server.ts";

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
  const heading = dead > 0 ? "Emails are failing" : "Many attempts were blocked";
  return ownerEmailTemplate({
    siteUrl,
    subject: dead > 0 ? "emails are failing" : "many attempts were blocked",
    heading,
    paragraphs: [
      ...emailParagraphs(dead, reasons),
      ...attemptParagraphs(blocked),
      "You get this email at most once an hour.",
    ],
  });
}

function emailParagraphs(dead: number, reasons: Reason[]): string[] {
  if (dead === 0) return [];
  const why = reasons
    .slice(0, 3)
    .map(({ reason, emails }) => `${reasonText(reason) ?? "No reason recorded"} (${emails})`);
  return [
    `${dead.toLocaleString("en-GB")} ${dead === 1 ? "email has" : "emails have"} failed. Most frequent reasons: ${why.join("; ")}.`,
    "Once the cause is fixed, choose Try again on your overview, or run: npm run owner -- outbox retry --remote",
  ];
}

function attemptParagraphs(blocked: AlertProps["blocked"]): string[] {
  if (blocked === null) return [];
  return [
    `Attempts blocked so far on ${blocked.day} (UTC): ${blocked.count.toLocaleString("en-GB")}. The daily average of the week before was ${blocked.usual.toLocaleString("en-GB")}. Your overview shows the reasons.`,
    "You don’t need to do anything: these attempts have been stopped. If real visitors complain, or the attempts go on, turn on Turnstile (docs/abuse.md).",
  ];
}
