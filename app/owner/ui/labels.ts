import type { EntryEmailKind } from "#app/server/db/schema/email.server.ts";
import type { OwnerAction } from "#app/server/db/schema/owner.server.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";

/** Labels on the owner's pages for values in the database. */

export const blockedReasons: Record<BlockedReason, string> = {
  body: "Malformed or too large",
  origin: "From another site",
  honeypot: "Filled in the hidden field",
  address: "Invalid address",
  "rate-limited": "Too many attempts",
  "challenge-failed": "Failed the Turnstile check",
  "sign-in": "Too many sign-in links",
};

export const emailKinds: Record<EntryEmailKind, string> = {
  welcome: "Welcome",
  rejoin: "Rejoin the waitlist?",
  confirm: "Confirm your address",
  "confirm-reminder": "Reminder to confirm",
  "my-data-link": "New link to the entry",
  milestone: "Enough friends have joined",
};

export const ownerActions: Record<OwnerAction, string> = {
  "sign-in": "Signed in",
  "sign-out": "Signed out",
  "sign-out-everywhere": "Signed out everywhere",
  "create-sign-in-link": "Printed a sign-in link",
  "add-entry": "Added a person",
  unsubscribe: "Unsubscribed",
  erase: "Erased",
  "erase-many": "Started erasing entries",
  "stop-erasing": "Stopped erasing entries",
  "unsubscribe-many": "Started unsubscribing entries",
  "stop-unsubscribing": "Stopped unsubscribing entries",
  "undo-unsubscribing": "Started putting unsubscribed entries back",
  "stop-undoing": "Stopped putting unsubscribed entries back",
  "resend-welcome": "Sent the welcome email again",
  "retry-emails": "Tried failed emails again",
  "try-emails": "Ended a pause of all email",
  "release-emails": "Released emails to unverified sign-ups",
  "make-link": "Made a link",
  note: "Changed the note",
  export: "Exported entries",
  import: "Imported entries",
  "continue-import": "Continued an import that had stopped",
  "stop-import": "Stopped an import",
  "discard-import": "Discarded a file to import",
  "download-problems": "Downloaded rows left out of an import",
  unsuppress: "Allowed email to an address again",
  "replace-link-secret": "Replaced the secret that signs links",
  "create-letter": "Created a letter",
  "duplicate-letter": "Duplicated a letter",
  "test-letter": "Sent a test of a letter",
  "schedule-letter": "Scheduled a letter",
  "unschedule-letter": "Took back a letter’s schedule",
  "send-letter": "Started sending a letter",
  "pause-letter": "Paused a letter",
  "resume-letter": "Resumed a letter",
  "stop-letter": "Stopped a letter",
  "delete-letter": "Deleted a draft",
  "publish-letter": "Made a letter public",
  "unpublish-letter": "Made a letter private",
  "resolve-letter": "Decided about emails with an unknown outcome",
  "create-step": "Created a follow-up",
  "change-step": "Changed a follow-up",
  "switch-step-on": "Switched a follow-up on",
  "switch-step-off": "Switched a follow-up off",
  "extend-step": "Extended a follow-up to people who had joined before",
  "resume-step": "Resumed a follow-up",
  "delete-step": "Deleted a follow-up",
  "test-step": "Sent a test of a follow-up",
  "set-series-hour": "Changed the hour of follow-ups",
  "accept-referral": "Accepted a referral",
  "refuse-referral": "Refused a referral",
  "give-reward": "Marked a reward as given",
  "take-back-reward": "Took back that a reward was given",
  "export-referrals": "Downloaded referrals",
  "edit-email": "Changed the words",
  "restore-email": "Went back to the original words",
  "create-api-key": "Made an API key",
  "revoke-api-key": "Revoked an API key",
  "change-entry": "Changed answers",
  "add-endpoint": "Added a webhook endpoint",
  "change-endpoint": "Changed a webhook endpoint",
  "delete-endpoint": "Deleted a webhook endpoint",
  "replace-endpoint-secret": "Replaced a webhook’s signing secret",
  "test-endpoint": "Sent a test event",
  "send-events-again": "Sent events again",
  "allow-origin": "Allowed forms on another site",
  "remove-origin": "Stopped allowing forms on another site",
  "make-fair-device": "Made the code of a tablet",
  "revoke-fair-device": "Revoked a tablet",
  "accept-fair-sign-ups": "Accepted sign-ups from a tablet",
  "discard-fair-sign-ups": "Discarded sign-ups from a tablet",
  "close-fair-device": "Closed a tablet",
};

/**
 * `12.5%` of a whole, below one per cent `0.04%`; a dash where there is nothing to compare with, as before visits were
 * counted.
 */
export function formatRate(part: number, whole: number): string {
  if (whole === 0 || part > whole) return "–";
  const rate = part / whole;
  if (rate > 0 && rate < 0.000_05) return "<0.01%";
  return rate < 0.01 ? smallPercentFormat.format(rate) : percentFormat.format(rate);
}

const percentFormat = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 });
const smallPercentFormat = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 2 });

/** `12,345` */
export function formatNumber(value: number): string {
  return numberFormat.format(value);
}

const numberFormat = new Intl.NumberFormat("en-GB");

/** `1 person`, `1,234 people` */
export function counted(value: number, one: string, many: string): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

/** `up to an hour`, `about 36 hours`, `about 3 days` */
export function formatHours(hours: number): string {
  if (hours <= 1) return "up to an hour";
  return hours < 48 ? `about ${Math.ceil(hours)} hours` : `about ${Math.ceil(hours / 24)} days`;
}

/** `21 Nov` for `2026-11-21`. */
export function formatDay(date: string): string {
  return dayFormat.format(new Date(`${date}T00:00:00Z`));
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** `21 Nov 2026, 14:05` in a time zone, for milliseconds since 1970. */
export function formatTime(time: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(time);
}
