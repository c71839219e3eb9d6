import type { Answers } from "#app/server/db/schema/entries.server.ts";
import { questions } from "#app/site.ts";

/** A greeting as an owner writes it, right or wrong; see {@link greetingProblem}. */
const written = /^\{\{ *([^{}|]*?) *(?:\|([^{}]*))?\}\}$/;

/** What an owner may have meant as a placeholder. */
export const anyPlaceholder = /\{\{[^{}\n]*\}{0,2}/g;

/** The keys of the questions whose answers a text uses. */
export function greetingKeys(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/\{\{ *([a-z][a-z0-9_]*) *\|/g), ([, key = ""]) => key))];
}

/** What is wrong with a placeholder outside of an address, as a sentence; null if it is a greeting that can be filled. */
export function greetingProblem(found: string): string | null {
  const [, name, fallback] = written.exec(found) ?? [];
  const shown = found.length > 40 ? `${found.slice(0, 39)}…` : found;
  if (name === undefined) return `${shown} is not complete. ${howToGreet()}`;
  if (!questions.some(({ key }) => key === name)) return `${shown} does not match a question. ${howToGreet()}`;
  if (fallback === undefined || fallback.trim() === "") {
    return `${shown} has no words for people without an answer. Add them after a | sign: {{${name}|there}}.`;
  }
  return fallback.includes("|") ? `${shown} has two | signs. Leave one out.` : null;
}

/** The first problem with the placeholders of a single line; null if all can be filled. */
export function lineGreetingProblem(text: string): string | null {
  return (text.match(anyPlaceholder) ?? []).map(greetingProblem).find((problem) => problem !== null) ?? null;
}

function howToGreet(): string {
  if (questions.length === 0) return "This site asks no questions, so it has no answers to fill in.";
  return `This site fills in ${questions.map(({ key }) => `{{${key}|there}}`).join(", ")}.`;
}

/** Answers that show where a letter has some: the first to choose, or the name of the question in brackets. */
export function sampleAnswers(): Answers {
  return Object.fromEntries(
    questions.map(({ key, label, answers }) => [key, Object.keys(answers ?? {})[0] ?? `[${label}]`]),
  );
}
