import { MAX_RESENDS } from "#app/email/requeue.server.ts";

/** What the owner reads after a change, by the `done` parameter of the URL. */
export const outcomes: Record<string, string> = {
  unchanged: "No change was needed.",
  // Of entries
  resent: "The welcome email is queued again. It is sent now, or as soon as the send limit allows.",
  "resend-failed":
    "The email has not been sent yet. The reason is below. It will be retried, unless it has failed for good.",
  "resend-limit": `The welcome email can be sent again at most ${MAX_RESENDS} times in 24 hours. Nothing was changed.`,
  unsubscribed: "The entry is unsubscribed and gets no more email.",
  noted: "The note is saved.",
  erased: "The entry and everything linked to it have been erased.",
  // Of letters
  saved: "The draft is saved.",
  deleted: "The draft is deleted.",
  counted: "The audience is saved.",
  tested: "The test is sent to your address.",
  scheduled: "The letter is scheduled.",
  unscheduled: "The letter is a draft again.",
  started: "The letter is being sent.",
  paused: "The letter is paused. Emails that the provider already has still arrive.",
  resumed: "The letter goes on within a minute.",
  stopped: "The letter is stopped. No more emails are sent.",
  published: "Anyone can read the letter at /letters, once it has been sent.",
  unpublished: "The letter is no longer public.",
  resolved: "Your decision is recorded.",
};
