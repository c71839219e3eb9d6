import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";
import { answerText } from "#app/waitlist/questions/answers.ts";
import { acceptedQuestions, answerTo, askedQuestions } from "#app/waitlist/questions/questions.server.ts";

/** A greeting in a letter, such as `{{first_name|there}}`: a person's answer, or else the words after the sign. */
const greeting = /\{\{ *([a-z][a-z0-9_]*) *\|([^{}|\n]*)\}\}/g;

/**
 * Fills the greetings of a text in one pass, so that answers cannot hold others.
 *
 * @param answers those of the reader; null for the words after the sign
 * @param encode for the language of the text, whose own words are encoded already
 */
export function fillGreetings(text: string, answers: Answers | null, encode = (words: string) => words): string {
  return text.replace(greeting, (_, key: string, fallback: string) => {
    const question = askedQuestions().find((known) => known.key === key);
    const words = question === undefined ? null : greetingWords(question, answers);
    return words === null ? fallback.trim() : encode(words);
  });
}

function greetingWords(question: Question, answers: Answers | null): string | null {
  const answer = answerTo(question, answers);
  if (answer === null) return null;
  if (question.answers !== undefined) return answerText(question, answer);
  const words = answer.replace(lineBreaks, " ").trim();
  return words === "" || isLink(words) ? null : words;
}

/** And other spaces, and what turns the direction of the text that follows. */
const lineBreaks = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Whether email programs may show a link in a text: to an address, a number of the internet or a telephone. Anyone can enter
 * another person's address with such a "name", and the letter would carry it to them.
 */
function isLink(words: string): boolean {
  // As those read it who skip what is invisible, and take full-width characters and other full stops for the usual ones.
  const plain = words
    .normalize("NFKC")
    .replace(/\p{DI}/gu, "")
    .replaceAll("。", ".");
  return links.test(plain);
}

const links =
  /:\/\/|www\.|@|(mailto|tel|sms):|[\p{L}\p{M}\p{N}]\.[\p{L}\p{M}]{2,}|\p{Nd}(\.\p{Nd}+){3}|(\p{Nd}[\s().+/-]*){6,}/iu;

/** Up to 30 letters, with what stands between them in names. */
const nameLike = /^\p{L}[\p{L}\p{M}'’. -]{0,29}$/u;

/** Words of a name. */
const MAX_NAME_WORDS = 3;

/**
 * The answers that a welcome email may greet with: those to choose, and typed ones that look like a name. Anyone can cause it
 * at once, with any answer, to an address that need not be theirs: it must not carry a message.
 */
export function namesAmong(answers: Answers): Answers {
  const isFit = (key: string, answer: string) => {
    const isChosen = askedQuestions().some((question) => question.key === key && question.answers !== undefined);
    return isChosen || (nameLike.test(answer.trim()) && answer.trim().split(/\s+/).length <= MAX_NAME_WORDS);
  };
  return Object.fromEntries(Object.entries(answers).filter(([key, answer]) => isFit(key, answer)));
}

/** A greeting as an owner writes it, right or wrong; see {@link greetingProblem}. */
const written = /^\{\{ *([^{}|]*?) *(?:\|([^{}]*))?\}\}$/;

/** What an owner may have meant as a placeholder. */
export const anyPlaceholder = /\{\{[^{}\n]*\}{0,2}/g;

/** The keys of the questions whose answers a text uses. @public for letters, which can be removed */
export function greetingKeys(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/\{\{ *([a-z][a-z0-9_]*) *\|/g), ([, key = ""]) => key))];
}

/**
 * What is wrong with a placeholder outside of an address, as a sentence; null if it is a greeting that can be filled. Those of
 * questions that are no longer asked can, with the words after the sign: a letter may have been scheduled before.
 */
export function greetingProblem(found: string): string | null {
  const [, name, fallback] = written.exec(found) ?? [];
  const shown = found.length > 40 ? `${found.slice(0, 39)}…` : found;
  if (name === undefined) return `${shown} is not complete. ${howToGreet()}`;
  if (!acceptedQuestions().some(({ key }) => key === name))
    return `${shown} does not match a question. ${howToGreet()}`;
  if (fallback === undefined || fallback.trim() === "") {
    return `${shown} has no words for people without an answer. Add them after a | sign: {{${name}|there}}.`;
  }
  return fallback.includes("|") ? `${shown} has two | signs. Leave one out.` : null;
}

/** The first problem with the placeholders of a single line; null if all can be filled. @public for letters, which can be removed */
export function lineGreetingProblem(text: string): string | null {
  return (text.match(anyPlaceholder) ?? []).map(greetingProblem).find((problem) => problem !== null) ?? null;
}

function howToGreet(): string {
  const questions = askedQuestions();
  if (questions.length === 0) return "This site asks no questions, so it has no answers to fill in.";
  return `This site fills in ${questions.map(({ key }) => `{{${key}|there}}`).join(", ")}.`;
}

/** Answers that show where a letter has some: the first to choose, or the name of the question in brackets. @public for letters, which can be removed */
export function sampleAnswers(): Answers {
  return Object.fromEntries(
    askedQuestions().map(({ key, label, answers }) => [key, Object.keys(answers ?? {})[0] ?? `[${label}]`]),
  );
}
