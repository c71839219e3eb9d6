import type { RecipientReason, RecipientState } from "#app/server/db/schema/letters.server.ts";

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
  late: "More than three days late",
  overtaken: "A later follow-up was sent first",
  enough: "Had already been sent five follow-ups",
  invited: "Had been invited",
  launched: "Your site had launched",
};
