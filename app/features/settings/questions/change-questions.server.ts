import { ANSWER_COUNT, questionProblems } from "#app/server/config/question-rules.ts";
import { retiring, type StoredQuestion } from "#app/server/config/stored-questions.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";

/* The form about the questions: `town.label`, `town.wording`, `role.answer.host` and so on, in the order of the questions. */

export interface TypedQuestion {
  key: string;
  label: string;
  wording: string;
  /** By key; null where people type their answer. */
  answers: [key: string, words: string][] | null;
  /** One more answer. */
  more: string;
}

export interface TypedQuestions {
  questions: TypedQuestion[];
  /** The question to add. `answers`: one on each line. */
  added: { label: string; wording: string; answers: string };
}

/** Problems by the name of a field; those of no field by an empty name. */
export type FieldProblems = Record<string, string>;

/** Longer texts do not fit where they are shown. */
export const MAX_LENGTH = { label: 40, wording: 120, answer: 40 } as const;

/** @param every question that is asked or was */
export function readQuestions(form: FormData, every: readonly StoredQuestion[]): TypedQuestions {
  const text = (name: string) => fieldText(form, name).trim();
  const names = [...new Set(form.keys())];
  const questions = names
    .filter((name) => name.endsWith(".label"))
    .map((name): TypedQuestion => {
      const key = name.slice(0, -".label".length);
      const known = every.find((question) => question.key === key);
      const start = `${key}.answer.`;
      const answers = names
        .filter((one) => one.startsWith(start))
        .map((one): [string, string] => [one.slice(start.length), text(one)]);
      const isText = known === undefined ? answers.length === 0 : known.answers === undefined;
      const [label, wording, more] = ["label", "wording", "more"].map((field) => text(`${key}.${field}`));
      return { key, label: label ?? "", wording: wording ?? "", answers: isText ? null : answers, more: more ?? "" };
    });
  const added = { label: text("add-label"), wording: text("add-wording"), answers: fieldText(form, "add-answers") };
  return { questions, added };
}

/** The fields of the form that has these questions. */
export function questionFields(every: readonly StoredQuestion[]): SavedFields {
  return askedAmong(every).flatMap(({ key, label, wording, answers = {} }) => [
    [`${key}.label`, label] as const,
    [`${key}.wording`, wording] as const,
    ...Object.entries(answers).map(([answer, words]) => [`${key}.answer.${answer}`, words] as const),
  ]) as SavedFields;
}

/** @param fields of {@link questionFields} */
export function typedAs(every: readonly StoredQuestion[]): TypedQuestions {
  const form = new FormData();
  for (const [name, value] of questionFields(every)) form.append(name, value);
  return readQuestions(form, every);
}

export function askedAmong(every: readonly StoredQuestion[]): StoredQuestion[] {
  return every.filter(({ retired }) => !retired);
}

/**
 * What becomes of the questions. Questions and answers that the form leaves out are kept as those that were asked: their keys
 * stay taken, and forms that were loaded before may still send them.
 *
 * @param intent the button, with the key of its question: `up:town`
 */
export function changeQuestions(
  every: readonly StoredQuestion[],
  typed: TypedQuestions,
  intent: string,
): { every: StoredQuestion[]; problems: FieldProblems } {
  const problems: FieldProblems = {};
  let asked = typed.questions.map((question) =>
    changedQuestion(
      every.find(({ key }) => key === question.key),
      question,
      problems,
    ),
  );
  const added = addedQuestion(every, typed.added, problems);
  if (added !== null) asked.push(added);
  const [action, key = ""] = intent.split(":");
  if (action === "first-name") asked.push(every.find((question) => question.key === FIRST_NAME.key) ?? FIRST_NAME);
  const back = every.find((question) => question.key === key && question.retired);
  if (action === "back" && back !== undefined) asked.push(back);
  if (action === "retire") asked = asked.filter((question) => question.key !== key);
  const place = asked.findIndex((question) => question.key === key);
  const other = action === "up" ? place - 1 : action === "down" ? place + 1 : place;
  if (place >= 0 && other >= 0 && other < asked.length) {
    [asked[place], asked[other]] = [asked[other] as StoredQuestion, asked[place] as StoredQuestion];
  }
  const present = asked.map(({ retired: _, ...question }): StoredQuestion => question);
  const gone = every.filter((question) => present.every((one) => one.key !== question.key));
  const changed = [...present, ...gone.map((question): StoredQuestion => ({ ...question, retired: true }))];
  const [rest] = Object.keys(problems).length > 0 ? [] : questionProblems(present, changed);
  if (rest !== undefined) problems[added === null ? "" : "add-label"] = rest;
  return { every: changed, problems };
}

/** The question that letters greet by. */
export const FIRST_NAME: StoredQuestion = {
  key: "first_name",
  label: "First name",
  wording: "What should we call you?",
};

function changedQuestion(
  known: StoredQuestion | undefined,
  typed: TypedQuestion,
  problems: FieldProblems,
): StoredQuestion {
  const { key, label, wording, more } = typed;
  checkText(problems, `${key}.label`, label, MAX_LENGTH.label);
  checkText(problems, `${key}.wording`, wording, MAX_LENGTH.wording);
  if (typed.answers === null) return { key, label, wording };
  const before = { ...known?.answers, ...known?.retiredAnswers };
  const answers = typed.answers.filter(([, words]) => words !== "");
  if (more !== "") {
    const offered = new Set(answers.map(([answer]) => answer));
    const again = Object.entries(before).find(([answer, words]) => !offered.has(answer) && isSame(words, more));
    answers.push([again?.[0] ?? newKey(more, "answer", [...Object.keys(before), ...offered]), more]);
  }
  const nameOf = (answer: string) => (typed.answers?.some(([one]) => one === answer) ? `answer.${answer}` : "more");
  for (const [index, [answer, words]] of answers.entries()) {
    const field = `${key}.${nameOf(answer)}`;
    if (words.length > MAX_LENGTH.answer) problems[field] = tooLong(MAX_LENGTH.answer);
    if (answers.slice(0, index).some(([, earlier]) => isSame(earlier, words))) problems[field] = SAME_ANSWER;
  }
  if (answers.length < ANSWER_COUNT.min) problems[`${key}.more`] = FEW_ANSWERS;
  if (answers.length > ANSWER_COUNT.max) problems[`${key}.more`] = MANY_ANSWERS;
  const gone = Object.entries(before).filter(([answer]) => answers.every(([one]) => one !== answer));
  return { key, label, wording, answers: Object.fromEntries(answers), ...retiring(Object.fromEntries(gone)) };
}

/** Null if none is to be added. */
function addedQuestion(
  every: readonly StoredQuestion[],
  { label, wording, answers }: TypedQuestions["added"],
  problems: FieldProblems,
): StoredQuestion | null {
  const lines = answers
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (label === "" && wording === "" && lines.length === 0) return null;
  checkText(problems, "add-label", label, MAX_LENGTH.label);
  checkText(problems, "add-wording", wording, MAX_LENGTH.wording);
  const keyed: [string, string][] = [];
  for (const line of lines) {
    const taken = keyed.map(([key]) => key);
    keyed.push([newKey(line, "answer", taken), line]);
  }
  if (lines.some((line) => line.length > MAX_LENGTH.answer)) problems["add-answers"] = tooLong(MAX_LENGTH.answer);
  if (lines.some((line, index) => lines.slice(0, index).some((earlier) => isSame(earlier, line))))
    problems["add-answers"] = SAME_ANSWER;
  if (lines.length === 1) problems["add-answers"] = FEW_ANSWERS;
  if (lines.length > ANSWER_COUNT.max) problems["add-answers"] = MANY_ANSWERS;
  const key = newKey(
    label,
    "question",
    every.map((question) => question.key),
  );
  return { key, label, wording, ...(keyed.length === 0 ? {} : { answers: Object.fromEntries(keyed) }) };
}

const FEW_ANSWERS = "A question with answers to choose from needs at least two of them.";
const MANY_ANSWERS = `A question has at most ${ANSWER_COUNT.max} answers to choose from.`;
const SAME_ANSWER = "Two answers are the same.";

function tooLong(most: number): string {
  return `This must have at most ${most} characters.`;
}

function checkText(problems: FieldProblems, name: string, text: string, most: number): void {
  if (text === "") problems[name] = "This is needed.";
  if (text.length > most) problems[name] = tooLong(most);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A key made of words, which no other one has: `home_town` for “Home town?”. It is never changed afterwards. */
function newKey(words: string, kind: "question" | "answer", taken: readonly string[]): string {
  const plain = words
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  const made = (/^[a-z]/.test(plain) ? plain : `${kind}_${plain}`).slice(0, 28).replace(/_$/, "");
  // Every object has a property of that name.
  const isFree = (key: string) => !taken.includes(key) && key !== "constructor";
  let key = made;
  for (let number = 2; !isFree(key); number += 1) key = `${made}_${number}`;
  return key;
}
