import { MAX_RESENDS } from "#app/email/requeue.server.ts";
import type { OwnerChange } from "#app/owner/entries/change-entry.server.ts";

const messages: Record<OwnerChange | "noted", string> = {
  resent: "The welcome email is queued again. It is sent now, or as soon as the send limit allows.",
  "resend-failed":
    "The email has not been sent yet. The reason is below. It will be retried, unless it has failed for good.",
  "resend-limit": `The welcome email can be sent again at most ${MAX_RESENDS} times in 24 hours. Nothing was changed.`,
  unsubscribed: "The entry is unsubscribed and gets no more email.",
  noted: "The note is saved.",
  erased: "The entry and everything linked to it have been erased.",
  unchanged: "No change was needed.",
};

/** The message for the outcome in the `done` query parameter. */
export function flashMessage(done: string | undefined): string | null {
  return Object.entries(messages).find(([change]) => change === done)?.[1] ?? null;
}
