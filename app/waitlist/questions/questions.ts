import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { type Question, questions } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";

/** The name of a question's field in forms, addresses and exports. The prefix keeps it apart from all other names. */
export type AnswerField = `answer_${string}`;

/** The field that tells the form of the questions from the sign-up form. */
export const ANSWER_TOKEN_FIELD = "answerToken";

/** The field of that form that keeps the stored answers, as JSON, where there is no JavaScript. */
export const STORED_FIELD = "storedAnswers";

/** The export's column of answers that no present question allows, as JSON. */
export const EARLIER_ANSWERS = "earlier_answers";

/** Characters, as `maxlength` counts them. */
export const MAX_ANSWER_LENGTH = 120;

/** New answers by question; null removes one. */
export type NewAnswers = Record<string, string | null>;

export type AnswerProblem = "unknown-question" | "invalid-answer" | "answer-too-long";

export type ParsedAnswers = { answers: NewAnswers; problem?: never } | { answers?: never; problem: AnswerProblem };

export function answerField({ key }: Pick<Question, "key">): AnswerField {
  return `answer_${key}`;
}

export function isAnswerField(name: string): name is AnswerField {
  return name.startsWith("answer_");
}

/** The answers of a form by question: the last value of each field, because a button follows what it replaces. */
export function answersOfForm(form: FormData): NewAnswers {
  const given = questions.filter((question) => form.has(answerField(question)));
  return Object.fromEntries(given.map((question) => [question.key, String(form.getAll(answerField(question)).at(-1))]));
}

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

/** The texts among answers that were given. */
export function typedAnswers(given: NewAnswers): NewAnswers {
  const isText = (key: string) => questions.some((question) => question.key === key && question.answers === undefined);
  return Object.fromEntries(Object.entries(given).filter(([key]) => isText(key)));
}

/** What is stored once new answers are. */
export function withAnswers(stored: Answers, added: NewAnswers): Answers {
  const all = Object.entries({ ...stored, ...added });
  return Object.fromEntries(all.flatMap(([key, answer]) => (answer === null || answer === "" ? [] : [[key, answer]])));
}

/** An answer as people read it. */
export function answerText({ answers }: Question, answer: string): string {
  return wordFor(answers ?? {}, answer);
}

/** The answer to a question as it is asked now; null without one. */
export function answerTo(question: Question, stored: Answers | null): string | null {
  return parseAnswer(question, stored?.[question.key] ?? null).answer ?? null;
}

/** Stored answers that no present question allows: the question is gone, or the answer is. Null without one. */
export function earlierAnswers(stored: Answers | null): Answers | null {
  const earlier = Object.entries(stored ?? {}).filter(([key]) => {
    const question = questions.find((known) => known.key === key);
    return question === undefined || answerTo(question, stored) === null;
  });
  return earlier.length === 0 ? null : Object.fromEntries(earlier);
}
