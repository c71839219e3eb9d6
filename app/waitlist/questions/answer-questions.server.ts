import { type AbuseCheckDeps, recordBlocked } from "#app/server/abuse/check-abuse.server.ts";
import { RATE_LIMIT_PERIOD, withinRateLimits } from "#app/server/abuse/rate-limits.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { logSampled } from "#app/server/log.ts";
import { setAnswers } from "#app/waitlist/entries/entries.server.ts";
import { isAnswerToken, readAnswerToken } from "#app/waitlist/questions/answer-token.server.ts";
import type { AnswerProblem, NewAnswers } from "#app/waitlist/questions/answers.ts";
import { parseAnswers } from "#app/waitlist/questions/questions.server.ts";

export interface AnswerQuestionsDeps extends Pick<AbuseCheckDeps, "limits" | "countBlocked"> {
  db: Db;
  /** The current secret, then the previous one. */
  linkSecrets: string[];
  /** The key of the codes of personal links. */
  hashKey: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface AnswerQuestionsInput {
  token: unknown;
  /** Answers by question, as they were received. */
  answers: unknown;
  /** The client's IP address, for rate limits; never stored. */
  clientIp: string;
}

export type AnswerQuestionsOutcome =
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
  input: AnswerQuestionsInput,
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
  const changed = await setAnswers(deps.db, entryId, answers);
  logSampled("info", "questions-answered", { entryId, changed });
  return { kind: "answered", answers };
}
