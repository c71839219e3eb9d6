import type { LetterState, PauseReason } from "#app/server/db/schema/letters.server.ts";

/** Letters in the owner's words. */

export const letterStates: Record<LetterState, string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
  stopped: "Stopped",
  finished: "Sent",
};

export const pauseReasons: Record<PauseReason, string> = {
  owner: "You paused it",
  "first-recipients": "After the first 1,000 emails, so that bounces can arrive",
  complaints: "Too many recipients reported it as spam",
  bounces: "Too many emails bounced",
  configuration: "It could not be sent",
  quota: "The email provider’s quota is used up",
};
