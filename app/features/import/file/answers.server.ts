import * as v from "valibot";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";
import { MAX_ANSWER_LENGTH } from "#app/waitlist/questions/answers.ts";

/**
 * The key of an answer by its key or its text, in any case. Two answers in one cell are the one with the key `both`, if
 * the question has it. Of a question without choices, and of an empty cell, the text as it is; null if it is none of the
 * answers.
 */
export function answerKey({ answers }: Question, text: string): string | null {
  if (answers === undefined || text === "") return text;
  const keyFor = (name: string) =>
    Object.entries(answers).find((names) => names.some((known) => known.toLowerCase() === name.toLowerCase()))?.[0];
  const whole = keyFor(text);
  if (whole !== undefined) return whole;
  const keys = new Set(text.split(/[,;|/&+]| and /i).map((part) => keyFor(part.trim())));
  const [only] = keys;
  if (keys.has(undefined) || only === undefined) return null;
  if (keys.size === 1) return only;
  return keys.size === 2 && Object.hasOwn(answers, "both") ? "both" : null;
}

/** Answers that an export of this site has as JSON; null if they are malformed. */
export function readEarlierAnswers(text: string): Answers | null {
  if (text === "") return {};
  try {
    return v.parse(earlierAnswersSchema, JSON.parse(text));
  } catch {
    return null;
  }
}

const earlierAnswersSchema = v.record(
  v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,31}$/)),
  v.pipe(v.string(), v.maxLength(MAX_ANSWER_LENGTH)),
);
