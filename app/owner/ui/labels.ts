import type { EmailKind, NotificationKind } from "#app/server/db/schema/email.server.ts";
import type { BlockedReason } from "#app/server/db/schema/statistics.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export const blockedReasons: Record<BlockedReason, string> = {
  body: "Malformed or too large",
  origin: "From another site",
  honeypot: "Filled in the hidden field",
  address: "Invalid address",
  "rate-limited": "Too many attempts",
  "challenge-failed": "Failed the Turnstile check",
  "sign-in": "Too many sign-in links",
};

export const emailKinds: Record<Exclude<EmailKind, NotificationKind | "sign-in" | "settings-changed">, string> = {
  welcome: "Welcome",
  rejoin: "Rejoin the waitlist?",
  confirm: "Confirm your address",
  "confirm-reminder": "Reminder to confirm",
  "my-data-link": "New link to the entry",
  milestone: "Enough friends have joined",
  letter: "Letter, sent again",
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

/** `21 Nov 2026, 14:05` in a time zone. */
export function formatTime(time: EpochMillis, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(time);
}

/** Bytes as `400 KB`. @public for letters and the blog, which can be removed */
export function kilobytes(bytes: number): string {
  return `${formatNumber(Math.ceil(bytes / 1_024))} KB`;
}
