import { reasonText } from "#app/server/db/email-reasons.ts";
import type { PauseReason } from "#app/server/db/schema/email.server.ts";
import type { LetterState } from "#app/server/db/schema/letters.server.ts";

export const letterStates: Record<LetterState | "paused", string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
  stopped: "Stopped",
  finished: "Sent",
};

const pauses: Partial<Record<PauseReason, string>> = {
  owner: "You paused it",
  "first-recipients": "After the first 1,000 emails, so that bounces can arrive",
  complaints: "Too many recipients reported it as spam",
  bounces: "Too many emails bounced",
};

export function pauseText(reason: PauseReason): string {
  return pauses[reason] ?? reasonText(reason);
}

/** `is paused: too many emails bounced` */
export function isPaused(reason: PauseReason): string {
  const text = pauseText(reason);
  return `is paused: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
