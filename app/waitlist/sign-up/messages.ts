import { site } from "#app/site.ts";

// Constants of their own, because the browser's code needs only these two.
export const INVALID_EMAIL = "Please enter a valid email address";
export const UNREACHABLE = "We couldn’t reach our server. Please check your connection and try again.";

/** Shown after joining with an address that `isInternational`. */
export const NO_EMAIL_NOTE =
  "We can’t send email to addresses with letters such as ø before the @. If you have another address, please join with that one too.";

/** Messages for visitors. Where the specification gives the wording, it is used verbatim. */
export const messages = {
  joined: "Thanks for joining! Please check your email.",
  "already-joined": "This email is already on our waitlist!",
  "invalid-email": INVALID_EMAIL,
  "invalid-source": "This form didn’t come from one of our pages. Please reload the page and try again.",
  "unknown-wording": "This form may not show what we promise. Please reload the page, read it, and join again.",
  "disposable-email": "This is a throwaway address. Please enter one that you’ll still read when we launch.",
  "rate-limited": "Too many attempts in a short time. Please wait a minute, then try again.",
  "mailbox-limited":
    "We’ve already sent several emails to this mailbox today. Please check your inbox and spam folder, or try again tomorrow.",
  "challenge-failed": "We couldn’t confirm that you’re human. Please try again.",
} as const;

/** The message for a server error. The reference identifies the log line. */
export function failureMessage(reference: string): string {
  return `Sorry, something went wrong on our side, and you’re not on the waitlist yet. Please try again in a moment. (Reference ${reference})`;
}

export function launchedMessage(launchUrl: string): string {
  return `${site.name} is open, and the waitlist is closed. Go to ${launchUrl}`;
}
