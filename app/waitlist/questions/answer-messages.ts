import { MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";
import { messages } from "#app/waitlist/sign-up/messages.ts";

export const answerMessages = {
  answered: "Thanks. You can change this any time through the link in our emails.",
  "invalid-answer": "Please choose one of the answers.",
  "answer-too-long": `Please use at most ${MAX_ANSWER_LENGTH} characters.`,
  "unknown-question": "We no longer ask this question. Please reload the page.",
  "invalid-token": "This question has closed. You can still answer it through the link in our emails.",
  "rate-limited": messages["rate-limited"],
} as const;

export function answerFailureMessage(reference: string): string {
  return `Sorry, something went wrong on our side, and your answer was not stored. Please try again in a moment. (Reference ${reference})`;
}
