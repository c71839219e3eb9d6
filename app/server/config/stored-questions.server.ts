import * as v from "valibot";
import type { Question } from "#app/site.ts";

/** A question as the page for settings stores it. */
export const storedQuestion = v.object({
  key: v.string(),
  label: v.string(),
  wording: v.string(),
  answers: v.exactOptional(v.record(v.string(), v.string())),
  /** Answers that are no longer offered. */
  retiredAnswers: v.exactOptional(v.record(v.string(), v.string())),
  /** Whether it is no longer asked. */
  retired: v.exactOptional(v.literal(true)),
});

export type StoredQuestion = v.InferOutput<typeof storedQuestion>;

/**
 * Every question that is asked or was, with the answers that are offered or were. Keys stay taken for good.
 *
 * @param stored what the page has stored; undefined if the questions of the code hold
 * @param former those that the page had asked before, if the code's hold again
 */
export function everyQuestion(
  ofCode: readonly Question[],
  stored: readonly StoredQuestion[] | undefined,
  former: readonly StoredQuestion[] = [],
): StoredQuestion[] {
  if (stored !== undefined) return [...stored];
  const asked = ofCode.map((question): StoredQuestion => {
    const before = former.find(({ key }) => key === question.key);
    const { answers } = question;
    if (answers === undefined || before === undefined)
      return { ...question, ...(answers && { answers: { ...answers } }) };
    const rest = Object.entries(everyAnswer(before)).filter(([key]) => !Object.hasOwn(answers, key));
    return { ...question, answers: { ...answers }, ...retiring(Object.fromEntries(rest)) };
  });
  const gone = former.filter(({ key }) => ofCode.every((question) => question.key !== key));
  return [...asked, ...gone.map((question): StoredQuestion => ({ ...question, retired: true }))];
}

/** What has to be remembered of questions when those of the code hold again. @public for settings, which can be removed */
export function formerQuestions(ofCode: readonly Question[], every: readonly StoredQuestion[]): StoredQuestion[] {
  return every.filter((question) => {
    const same = ofCode.find(({ key }) => key === question.key);
    return Object.keys(everyAnswer(question)).some((key) => !Object.hasOwn(same?.answers ?? {}, key)) || !same;
  });
}

/** @returns what is asked; and what was: questions, and answers to those that still are */
export function splitQuestions(every: readonly StoredQuestion[]): {
  questions: Question[];
  retiredQuestions: Question[];
} {
  const asked = every.filter(({ retired }) => !retired);
  const others = every.filter(({ retired, retiredAnswers }) => retired || retiredAnswers !== undefined);
  return {
    questions: asked.map(({ key, label, wording, answers }) => ({ key, label, wording, ...(answers && { answers }) })),
    retiredQuestions: others.map((question) => {
      const { key, label, wording, retired, retiredAnswers } = question;
      const answers = retired ? everyAnswer(question) : retiredAnswers;
      return { key, label, wording, ...(question.answers && answers && { answers }) };
    }),
  };
}

function everyAnswer({ answers, retiredAnswers }: StoredQuestion): Record<string, string> {
  return { ...answers, ...retiredAnswers };
}

/** `retiredAnswers`, if there are any. */
export function retiring(answers: Record<string, string>): Pick<StoredQuestion, "retiredAnswers"> {
  return Object.keys(answers).length === 0 ? {} : { retiredAnswers: answers };
}
