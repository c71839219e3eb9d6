import type { Milestone, Question } from "#app/site.ts";

export const MAX_QUESTIONS = 5;
/** How many answers a question to choose from has. @public for settings, which can be removed */
export const ANSWER_COUNT = { min: 2, max: 8 };

/** Characters. @public for settings, which can be removed */
export const MAX_REWARD_LENGTH = 120;

/** A key in the database, in addresses and in exports. */
const KEY = /^[a-z][a-z0-9_]{0,31}$/;

/** @throws what is wrong with the questions of app/site.ts */
export function checkQuestions(questions: readonly Question[]): void {
  const problems = questionProblems(questions);
  if (problems.length > 0) throw new Error(["app/site.ts:", ...problems].join("\n"));
}

/**
 * A sentence for each thing that is wrong.
 *
 * @param all those that are no longer asked as well: their keys stay taken
 */
export function questionProblems(questions: readonly Question[], all = questions): string[] {
  const keys = all.map(({ key }) => key);
  const repeated = keys.filter((key, index) => keys.indexOf(key) < index);
  return [
    ...(questions.length > MAX_QUESTIONS
      ? [`There are ${questions.length} questions, but at most ${MAX_QUESTIONS}.`]
      : []),
    ...repeated.map((key) => `Two questions have the key ${key}.`),
    ...all.flatMap(problemsOf),
  ];
}

function problemsOf({ key, label, wording, answers }: Question): string[] {
  const name = `The question ${JSON.stringify(key)}`;
  const problems: string[] = [];
  if (!KEY.test(key)) problems.push(`${name} needs a key of small letters, digits and underscores, such as "town".`);
  if (label.trim() === "" || wording.trim() === "") problems.push(`${name} needs a label and a wording.`);
  if (answers === undefined) return problems;
  const count = Object.keys(answers).length;
  if (count < ANSWER_COUNT.min || count > ANSWER_COUNT.max) {
    problems.push(
      `${name} has ${count} answers, but needs ${ANSWER_COUNT.min} to ${ANSWER_COUNT.max}, or none for a text field.`,
    );
  }
  for (const [answer, words] of Object.entries(answers)) {
    if (!KEY.test(answer)) problems.push(`${name} has an answer with the key "${answer}"; keys are like "host".`);
    if (words.trim() === "") problems.push(`${name} has an answer without words: ${answer}.`);
  }
  return problems;
}

/** A sentence for each thing that is wrong. */
export function milestoneProblems(milestones: readonly Milestone[]): string[] {
  return milestones.flatMap(({ friends, reward }, index) => [
    ...(Number.isSafeInteger(friends) && friends > 0
      ? []
      : ["The number of friends of each reward must be a whole number above 0."]),
    ...(friends > (milestones[index - 1]?.friends ?? 0)
      ? []
      : ["Rewards stand in the order of their friends, each number once."]),
    ...(reward.trim() === "" || reward.length > MAX_REWARD_LENGTH
      ? [`Each reward needs words, of at most ${MAX_REWARD_LENGTH} characters.`]
      : []),
  ]);
}
