import { type Backlog, capacityPerHour, hoursToSend, type SendingLimits } from "#app/email/backlog.server.ts";
import { importedPerHour, unverifiedPerHour } from "#app/email/limits.ts";
import { counted, formatHours, formatNumber } from "#app/owner/ui/labels.ts";
import type { AttentionItem } from "#app/owner/ui/owner-context.ts";
import { planLimits } from "#app/server/config/plan-limits.ts";
import { DATA_LINK_LIFETIME } from "#app/waitlist/my-data/token.server.ts";

/** A backlog that takes longer is worth a warning (hours). */
const DAY = 24;

const HOUR = 3_600_000;

export function backlogWarning(backlog: Backlog, sending: SendingLimits): AttentionItem | null {
  const hours = hoursToSend(backlog, sending);
  if (hours <= DAY) return null;
  const { verified, unverified, imported } = backlog;
  const waiting = counted(verified + unverified + imported, "email is", "emails are");
  const duration = `${formatHours(hours)} at ${perHour(sending.emailsPerHour, sending)} an hour${shares(backlog, sending)}`;
  const links = hours * HOUR > DATA_LINK_LIFETIME ? " Some will arrive with a link that has expired." : "";
  return { text: `${waiting} waiting to be sent, which takes ${duration}.${links}${advice(sending)}` };
}

/** What the limit allows to those who get only a share of it. */
function shares({ unverified, imported }: Backlog, sending: SendingLimits): string {
  const share = (emails: number, limit: number, recipients: string) =>
    emails === 0 ? [] : [`${perHour(limit, sending)} to ${recipients} (${counted(emails, "email", "emails")})`];
  const limits = [
    ...share(unverified, unverifiedPerHour(sending.emailsPerHour), "sign-ups that Turnstile has not verified"),
    ...share(imported, importedPerHour(sending.emailsPerHour), "imported people"),
  ];
  return limits.length === 0 ? "" : `, of which at most ${limits.join(" and ")}`;
}

function perHour(limit: number, sending: SendingLimits): string {
  return formatNumber(Math.min(limit, capacityPerHour(sending)));
}

function advice(sending: SendingLimits): string {
  if (sending.emailsPerHour < capacityPerHour(sending)) {
    return "\nAdvanced: to send them sooner, raise MAIL_PER_HOUR; docs/email.md says how far.";
  }
  return sending.plan.subrequests < planLimits.paid.subrequests
    ? "\nAdvanced: the free Workers plan allows no more. To send them sooner, change to the paid plan."
    : " The site cannot send faster.";
}
