import {
  estimateDuration,
  FIRST_PAUSE_AFTER,
  FIRST_PAUSE_TIME,
  lettersPerHour,
} from "#app/email/letters/sending-limits.ts";
import type { ProviderMailer } from "#app/email/mailer.server.ts";
import { formatNumber } from "#app/owner/ui/labels.ts";

/** How a letter would be sent. */
export interface SendingPlan {
  provider: string;
  /** How long it takes, and why. */
  duration: string;
  /** When it would end (milliseconds since 1970). */
  endsAt: number;
}

interface PlanOptions {
  mailer: Pick<ProviderMailer, "description"> | null;
  perHour: number;
  now: number;
}

export function planSending(recipients: number, { mailer, perHour, now }: PlanOptions): SendingPlan {
  const time = estimateDuration(recipients, { perHour });
  const limit = `at most ${formatNumber(lettersPerHour(perHour))} emails an hour`;
  const firstPause =
    recipients > FIRST_PAUSE_AFTER
      ? `, with a pause of ${FIRST_PAUSE_TIME / 60_000} minutes after the first ${formatNumber(FIRST_PAUSE_AFTER)}, so that bounces can arrive`
      : "";
  return {
    provider: mailer?.description ?? "No sender is configured",
    duration: `${duration(time)}: ${limit}${firstPause}.`,
    endsAt: now + time,
  };
}

function duration(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes <= 2) return "A minute or two";
  if (minutes < 90) return `About ${Math.ceil(minutes / 5) * 5} minutes`;
  const hours = minutes / 60;
  return hours < 48 ? `About ${Math.ceil(hours)} hours` : `About ${Math.ceil(hours / 24)} days`;
}
