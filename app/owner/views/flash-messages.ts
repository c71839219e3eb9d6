import type { OwnerChange } from "#app/owner/change-entry.server.ts";

const messages: Record<OwnerChange, string> = {
  resent: "The welcome mail is owed once more; it goes out now, or as soon as the ceiling of mails an hour has room.",
  "resend-failed": "The mail could not be sent now. It is tried again by itself; the reason stands below.",
  unsubscribed: "The entry is off the list. No more mail goes to it.",
  erased: "The entry has been erased, and all that hung on it.",
  unchanged: "Nothing was changed: it was so already, or it cannot be.",
};

/** The message for the outcome in the `done` query parameter. */
export function flashMessage(done: string | undefined): string | null {
  return Object.entries(messages).find(([change]) => change === done)?.[1] ?? null;
}
