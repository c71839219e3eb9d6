import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { type Question, questions } from "#app/site.ts";
import { type AnswerProblem, MAX_ANSWER_LENGTH, type NewAnswers } from "#app/waitlist/questions/answers.ts";

/** The question by whose answers the owner's list and overview divide people: `role`, or the first where none has that key. */
export const mainQuestion: Question | undefined = questions.find(({ key }) => key === "role") ?? questions[0];

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

export function parseAnswer(
  { answers }: Question,
  value: unknown,
): { answer: string | null; problem?: never } | { answer?: never; problem: AnswerProblem } {
  if (value === null || value === "") return { answer: null };
  if (typeof value !== "string") return { problem: "invalid-answer" };
  if (answers !== undefined) return Object.hasOwn(answers, value) ? { answer: value } : { problem: "invalid-answer" };
  const text = value
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .toWellFormed();
  return text.length > MAX_ANSWER_LENGTH ? { problem: "answer-too-long" } : { answer: text === "" ? null : text };
}

/** The answer to a question as it is asked now; null without one. */
export function answerTo(question: Question, stored: Answers | null): string | null {
  return parseAnswer(question, stored?.[question.key] ?? null).answer ?? null;
}

/** The texts among answers that were given. */
export function typedAnswers(given: NewAnswers): NewAnswers {
  const isText = (key: string) => questions.some((question) => question.key === key && question.answers === undefined);
  return Object.fromEntries(Object.entries(given).filter(([key]) => isText(key)));
}

/** The answers to the questions as they are asked now. */
export function presentAnswers(stored: Answers | null): Answers {
  const answered = questions.map((question) => [question.key, answerTo(question, stored)]);
  return Object.fromEntries(answered.filter(([, answer]) => answer !== null));
}

/** Stored answers that no present question allows: the question is gone, or the answer is. Null without one. */
export function earlierAnswers(stored: Answers | null): Answers | null {
  const earlier = Object.entries(stored ?? {}).filter(([key]) => {
    const question = questions.find((known) => known.key === key);
    return question === undefined || answerTo(question, stored) === null;
  });
  return earlier.length === 0 ? null : Object.fromEntries(earlier);
}
