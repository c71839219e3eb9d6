import { type Question, questions } from "#app/site.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";

/** Why tests of the questions are left out. */
export const NO_QUESTIONS = "app/site.ts lists no questions.";

/** Two answers to a question. */
export function answersTo({ answers }: Question): [first: string, second: string] {
  if (answers === undefined) return ["Upper “Leeds”, 1/2", "York"];
  const keys = Object.keys(answers);
  return [keys[0] ?? "", keys.at(-1) ?? ""];
}

/** The first or the second answer to every question, by its key. */
export function answersToAll(which: 0 | 1): Record<string, string> {
  return Object.fromEntries(questions.map((question) => [question.key, answersTo(question)[which]]));
}

/** Answers as the fields of a form. */
export function answerFields(answers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(answers).map(([key, value]) => [answerField({ key }), value]));
}

/** Questions that are answered by a press. */
export const choiceQuestions = questions.filter(({ answers }) => answers !== undefined);

/** Questions that are answered with a text. */
export const textQuestions = questions.filter(({ answers }) => answers === undefined);
