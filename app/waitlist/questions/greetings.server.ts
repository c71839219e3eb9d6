import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { type Question, questions } from "#app/site.ts";
import { answerText } from "#app/waitlist/questions/answers.ts";
import { answerTo } from "#app/waitlist/questions/questions.server.ts";

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
    const question = questions.find((known) => known.key === key);
    const words = question === undefined ? null : greetingWords(question, answers);
    return words === null ? fallback.trim() : encode(words);
  });
}

/** An answer as a letter says it, in one line; null without one. */
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
