import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";
import { wordFor } from "#app/ui/word-for.ts";

/* What browsers need too. They get the questions from the server, so that pages without questions do not contain them. */

const PREFIX = "answer_";

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

export function answerField({ key }: Pick<Question, "key">): AnswerField {
  return `${PREFIX}${key}`;
}

export function isAnswerField(name: string): name is AnswerField {
  return name.startsWith(PREFIX);
}

/** The answers of a form by question: the last value of each field, because a button follows what it replaces. */
export function answersOfForm(form: FormData): NewAnswers {
  const fields = [...form.keys()].filter(isAnswerField);
  return Object.fromEntries(fields.map((name) => [name.slice(PREFIX.length), String(form.getAll(name).at(-1))]));
}

export function withAnswers(stored: Answers, added: NewAnswers): Answers {
  const all = Object.entries({ ...stored, ...added });
  return Object.fromEntries(all.flatMap(([key, answer]) => (answer === null || answer === "" ? [] : [[key, answer]])));
}

export function answerText({ answers }: Question, answer: string): string {
  return wordFor(answers ?? {}, answer);
}
