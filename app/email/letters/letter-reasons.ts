import type {
  LetterState,
  PauseReason,
  RecipientReason,
  RecipientState,
} from "#app/server/db/schema/letters.server.ts";

/** Letters in the owner's words. */

const letterStates: Record<LetterState, string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
  stopped: "Stopped",
  finished: "Sent",
};

/** The state of a letter. The pause after the first recipients was planned and ends by itself, so it has a name of its own. */
export function describeState({
  state,
  pause_reason,
}: {
  state: LetterState;
  pause_reason: PauseReason | null;
}): string {
  return state === "paused" && pause_reason === "first-recipients" ? "On a break" : letterStates[state];
}

export const pauseReasons: Record<PauseReason, string> = {
  owner: "You paused it",
  "first-recipients":
    "The first 1,000 emails are out. The rest follow half an hour later, so that bounces can arrive first",
  complaints: "Too many recipients reported it as spam",
  bounces: "Too many emails bounced",
  configuration: "It could not be sent",
  quota: "The email provider’s quota is used up; sending resumes when it renews",
};

export const recipientStates: Record<RecipientState, string> = {
  pending: "Waiting",
  sent: "Sent",
  skipped: "Skipped",
  failed: "Failed",
  unknown: "Unknown",
};

/** Reasons besides those that are stored: the person left the audience before their row was written, or the letter was stopped. */
export type CountedReason = RecipientReason | "left-audience" | "stopped";

export const recipientReasons: Record<CountedReason, string> = {
  unsubscribed: "Unsubscribed",
  unconfirmed: "Has not confirmed their address",
  suppressed: "The address gets no email",
  erased: "The entry was erased",
  "left-audience": "No longer in the audience",
  stopped: "The letter was stopped",
  rejected: "The email provider rejected the email",
  // Of letters that were sent before an erased person was taken out of a batch.
  "member-erased": "Someone in the same batch was erased before the provider confirmed it",
  "never-confirmed": "The email provider did not confirm it for 24 hours",
  changed: "The provider had an earlier attempt with other content, such as one for someone who has left since",
  "counted-as-sent": "You counted it as sent",
};
