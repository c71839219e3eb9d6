import { messages } from "#app/waitlist/messages.ts";

/** Responses to an answer to the question after joining. */
export const roleMessages = {
  answered: "Thank you, that helps. You can still change your answer.",
  "invalid-role": "Please choose one of the answers.",
  "invalid-token": "This question has closed. You can still answer it through the link in our emails.",
  "rate-limited": messages["rate-limited"],
} as const;

/** The message for a server error when someone answers the question after joining. */
export function roleFailureMessage(reference: string): string {
  return `Sorry, something went wrong on our side, and your answer was not stored. Please try again in a moment. (Reference ${reference})`;
}
