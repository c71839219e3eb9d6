import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { questions } from "#app/site.ts";
import { type AnswerProblem, answerTo, type NewAnswers, parseAnswer } from "#app/waitlist/questions/answers.ts";

export type ParsedAnswers = { answers: NewAnswers; problem?: never } | { answers?: never; problem: AnswerProblem };

/** Checks answers by question. One that is empty or null removes the stored answer. */
export function parseAnswers(given: unknown): ParsedAnswers {
  const answers: NewAnswers = {};
  if (typeof given !== "object" || given === null) return { problem: "invalid-answer" };
  for (const [key, value] of Object.entries(given)) {
    const question = questions.find((known) => known.key === key);
    if (question === undefined) return { problem: "unknown-question" };
    const { answer, problem } = parseAnswer(question, value);
    if (problem !== undefined) return { problem };
    answers[key] = answer;
  }
  return Object.keys(answers).length === 0 ? { problem: "invalid-answer" } : { answers };
}

/** The texts among answers that were given. */
export function typedAnswers(given: NewAnswers): NewAnswers {
  const isText = (key: string) => questions.some((question) => question.key === key && question.answers === undefined);
  return Object.fromEntries(Object.entries(given).filter(([key]) => isText(key)));
}

/** Stored answers that no present question allows: the question is gone, or the answer is. Null without one. */
export function earlierAnswers(stored: Answers | null): Answers | null {
  const earlier = Object.entries(stored ?? {}).filter(([key]) => {
    const question = questions.find((known) => known.key === key);
    return question === undefined || answerTo(question, stored) === null;
  });
  return earlier.length === 0 ? null : Object.fromEntries(earlier);
}
