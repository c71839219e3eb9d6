import { MAX_RESENDS } from "#app/email/requeue.server.ts";
import type { OwnerChange } from "#app/owner/change-entry.server.ts";

const messages: Record<OwnerChange, string> = {
  resent: "The welcome mail is owed once more; it goes out now, or as soon as the ceiling of mails an hour has room.",
  "resend-failed": "The email was not sent now. The reason is below; unless the email is dead, it is retried.",
  "resend-limit": `The welcome email can be sent again at most ${MAX_RESENDS} times in 24 hours. Nothing was changed.`,
  unsubscribed: "The entry is off the list. No more mail goes to it.",
  erased: "The entry has been erased, and all that hung on it.",
  unchanged: "Nothing was changed: it was so already, or it cannot be.",
};

/** The message for the outcome in the `done` query parameter. */
export function flashMessage(done: string | undefined): string | null {
  return Object.entries(messages).find(([change]) => change === done)?.[1] ?? null;
}
