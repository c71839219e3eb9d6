import { perSettings, siteSettings } from "#app/server/config/settings.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";
import { type AnswerProblem, answerText, MAX_ANSWER_LENGTH, type NewAnswers } from "#app/waitlist/questions/answers.ts";

/** What people are asked now. It may change between two requests. */
export function askedQuestions(): readonly Question[] {
  return siteSettings().questions;
}

/**
 * Everything that may be answered: what is asked, and the questions and answers that were once. Forms on tablets and in
 * browsers, and programs, may still send those.
 */
export const acceptedQuestions: () => readonly Question[] = perSettings(({ questions, retiredQuestions }) => {
  const retiredBy = Map.groupBy(retiredQuestions, ({ key }) => key);
  const asked = questions.map((question) => {
    if (question.answers === undefined) return question;
    const retired = (retiredBy.get(question.key) ?? []).map(({ answers }) => answers);
    return { ...question, answers: Object.assign({}, question.answers, ...retired) };
  });
  return [...asked, ...retiredQuestions.filter(({ key }) => questions.every((question) => question.key !== key))];
});

/** The question by whose answers the owner's list and overview divide people: `role`, or the first where none has that key. */
export function mainQuestion(): Question | undefined {
  const questions = askedQuestions();
  return questions.find(({ key }) => key === "role") ?? questions[0];
}

export type ParsedAnswers = { answers: NewAnswers; problem?: never } | { answers?: never; problem: AnswerProblem };

/** Checks answers to what {@link acceptedQuestions} has. One that is empty or null removes the stored answer. */
export function parseAnswers(given: unknown): ParsedAnswers {
  const answers: NewAnswers = {};
  if (typeof given !== "object" || given === null) return { problem: "invalid-answer" };
  for (const [key, value] of Object.entries(given)) {
    const question = acceptedQuestions().find((known) => known.key === key);
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
  const isText = (key: string) =>
    askedQuestions().some((question) => question.key === key && question.answers === undefined);
  return Object.fromEntries(Object.entries(given).filter(([key]) => isText(key)));
}

/** The answers to the questions as they are asked now, or to others. */
export function presentAnswers(stored: Answers | null, questions = askedQuestions()): Answers {
  const answered = questions.map((question) => [question.key, answerTo(question, stored)]);
  return Object.fromEntries(answered.filter(([, answer]) => answer !== null));
}

/** Stored answers that no present question allows: the question is gone, or the answer is. Null without one. */
export function earlierAnswers(stored: Answers | null): Answers | null {
  const earlier = Object.entries(stored ?? {}).filter(([key]) => {
    const question = askedQuestions().find((known) => known.key === key);
    return question === undefined || answerTo(question, stored) === null;
  });
  return earlier.length === 0 ? null : Object.fromEntries(earlier);
}

/** The same as people read them: `Town: York; Tent: No idea`. */
export function earlierInWords(stored: Answers | null): string {
  const parts = Object.entries(earlierAnswers(stored) ?? {}).map(([key, answer]) => {
    const question = acceptedQuestions().find((known) => known.key === key);
    return question === undefined ? `${key}: ${answer}` : `${question.label}: ${answerText(question, answer)}`;
  });
  return parts.join("; ");
}
