import {
  estimateDuration,
  HOLD_AFTER,
  HOLD_TIME,
  letterRefusal,
  lettersPerHour,
} from "#app/email/letters/sending-limits.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";
import type { Config } from "#app/server/config.server.ts";
import type { WorkersPlan } from "#app/server/plan-limits.ts";

/** How a letter would be sent. */
export interface SendingPlan {
  provider: string;
  /** How long it takes, and why. */
  duration: string;
  /** When it would end (milliseconds since 1970). */
  endsAt: number;
}

interface PlanOptions {
  config: Config;
  perHour: number;
  now: number;
}

export function planSending(recipients: number, { config, perHour, now }: PlanOptions): SendingPlan {
  const time = estimateDuration(recipients, { perHour });
  const limit = `at most ${formatNumber(lettersPerHour(perHour))} emails an hour, as MAIL_PER_HOUR allows`;
  const hold =
    recipients > HOLD_AFTER
      ? `, with a break of ${HOLD_TIME / 60_000} minutes after the first ${formatNumber(HOLD_AFTER)}, so that bounces can arrive`
      : "";
  return { provider: providerName(config), duration: `${duration(time)}: ${limit}${hold}.`, endsAt: now + time };
}

/** Why letters cannot be sent here, in a sentence; null if they can. */
export function sendingObstacle(config: Config, workersPlan: WorkersPlan): string | null {
  return letterRefusal({
    siteUrl: config.SITE_URL,
    workersPlan,
    hasSender: config.MAIL_FROM !== undefined,
    hasResend: config.RESEND_API_KEY !== undefined,
  });
}

function providerName({ RESEND_API_KEY, MAIL_FROM, SITE_URL }: Config): string {
  if (MAIL_FROM === undefined) return "No sender is configured";
  if (RESEND_API_KEY !== undefined) return `Resend, from ${MAIL_FROM}`;
  return SITE_URL.startsWith("http:") ? "Files on this computer: nothing leaves it" : "Cloudflare";
}

function duration(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes <= 2) return "A minute or two";
  if (minutes < 90) return `About ${Math.ceil(minutes / 5) * 5} minutes`;
  const hours = minutes / 60;
  return hours < 48 ? `About ${Math.ceil(hours)} hours` : `About ${Math.ceil(hours / 24)} days`;
}
