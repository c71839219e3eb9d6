const messages: Record<string, string> = {
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
  unchanged: "No change was needed.",
};

/** The message for the outcome in the `done` query parameter. */
export function letterMessage(done: string | undefined): string | null {
  return done !== undefined && Object.hasOwn(messages, done) ? (messages[done] ?? null) : null;
}
