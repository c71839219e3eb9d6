import { recordBlocked } from "#app/server/abuse/check-abuse.server.ts";
import { RATE_LIMIT_PERIOD, withinRateLimits } from "#app/server/abuse/rate-limits.server.ts";
import type { AppContext } from "#app/server/context.ts";
import { logSampled } from "#app/server/log.ts";
import { setAnswers } from "#app/waitlist/entries/entries.server.ts";
import { isAnswerToken, readAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import { type AnswerProblem, MAX_ANSWER_LENGTH, type NewAnswers } from "#app/waitlist/questions/answers.ts";
import { parseAnswers } from "#app/waitlist/questions/questions.server.ts";
import { messages } from "#app/waitlist/sign-up/messages.ts";

type AnswerQuestionsDeps = Pick<AppContext, "db" | "linkSecrets" | "hashKey" | "limits" | "countBlocked" | "now">;

type AnswerQuestionsOutcome =
  | { kind: "answered"; answers: NewAnswers }
  | { kind: AnswerProblem }
  | { kind: "invalid-token" }
  /** `retryAfter` in seconds. */
  | { kind: "rate-limited"; retryAfter: number };

/**
 * Stores all the answers that the holder of a sign-up's token gives, or none of them. Entry points call this after
 * checking the request's size, type and origin. A token without an entry gets the same response, after the same
 * statement.
 *
 * @throws when the database fails
 */
export async function answerQuestions(
  deps: AnswerQuestionsDeps,
  input: { token: unknown; answers: unknown; clientIp: string },
): Promise<AnswerQuestionsOutcome> {
  const { token, clientIp } = input;
  const { answers, problem } = parseAnswers(input.answers);
  if (problem !== undefined) return { kind: problem };
  if (!isAnswerToken(token)) return { kind: "invalid-token" };
  if (!(await withinRateLimits(deps.limits, "answers", clientIp, token))) {
    recordBlocked(deps, "answers", "rate-limited");
    return { kind: "rate-limited", retryAfter: RATE_LIMIT_PERIOD };
  }
  const entryId = await readAnswerToken(token, deps);
  if (entryId === null) return { kind: "invalid-token" };
  const changed = await setAnswers(deps.db, entryId, answers, deps.now());
  logSampled("info", "questions-answered", { entryId, changed });
  return { kind: "answered", answers };
}

export const answerStatuses: Record<AnswerQuestionsOutcome["kind"], number> = {
  answered: 200,
  "unknown-question": 422,
  "invalid-answer": 422,
  "answer-too-long": 422,
  "invalid-token": 403,
  "rate-limited": 429,
};

export function toAnswerResponse(outcome: AnswerQuestionsOutcome) {
  const headers: Record<string, string> =
    outcome.kind === "rate-limited" ? { "Retry-After": String(outcome.retryAfter) } : {};
  return { status: answerStatuses[outcome.kind], code: outcome.kind, message: answerMessages[outcome.kind], headers };
}

export const answerMessages = {
  answered: "Thanks. You can change this any time through the link in our emails.",
  "invalid-answer": "Please choose one of the answers.",
  "answer-too-long": `Please use at most ${MAX_ANSWER_LENGTH} characters.`,
  "unknown-question": "We no longer ask this question. Please reload the page.",
  "invalid-token": "This question has closed. You can still answer it through the link in our emails.",
  "rate-limited": messages["rate-limited"],
} as const;

export function answerFailureMessage(reference: string): string {
  return `Sorry, something went wrong on our side, and your answer wasn’t stored. Please try again in a moment. (Reference ${reference})`;
}
