import { normaliseEmail } from "#app/server/email-address.ts";
import { fieldText } from "#app/server/read-form.server.ts";
import { startOfDate } from "#app/server/time-zone-days.ts";
import { questions } from "#app/site.ts";
import type { KnownPerson } from "#app/waitlist/entries/add-by-hand.server.ts";
import { cleanConsentNote, consentNoteProblem } from "#app/waitlist/entries/consent-note.ts";
import { OWNER_SOURCE, toSource } from "#app/waitlist/entries/sources.ts";
import { answerMessages } from "#app/waitlist/questions/answer-messages.ts";
import { answerField } from "#app/waitlist/questions/answers.ts";
import { parseAnswer } from "#app/waitlist/questions/questions.server.ts";

/** The form of a new entry, as it was typed. Problems are sentences by field. */
export interface TypedEntry {
  values: Record<string, string>;
  problems: Record<string, string>;
}

/** @returns the person, or what was typed and what is wrong with it */
export function readNewEntry(
  form: FormData,
  { timeZone, now }: { timeZone: string; now: number },
): TypedEntry & { person: KnownPerson | null } {
  const names = ["email", "source", "consent-date", "note", "send", ...questions.map(answerField)];
  const values = Object.fromEntries(names.map((name) => [name, fieldText(form, name)]));
  const text = (name: string) => values[name] ?? "";
  const problems: Record<string, string> = {};
  const email = normaliseEmail(text("email"));
  if (email === null) problems["email"] = "Write an email address, such as name@example.com.";
  const answers: Record<string, string> = {};
  for (const question of questions) {
    const { answer, problem } = parseAnswer(question, text(answerField(question)));
    if (problem !== undefined) problems[answerField(question)] = answerMessages[problem];
    else if (answer !== null) answers[question.key] = answer;
  }
  const at = startOfDate(text("consent-date"), timeZone);
  if (at === null) problems["consent-date"] = "Say on which day this person agreed.";
  else if (at > now) problems["consent-date"] = "The date of consent is in the future.";
  const note = cleanConsentNote(text("note"));
  const noteProblem = consentNoteProblem(note, "this person");
  if (noteProblem !== null) problems["note"] = noteProblem;
  if (email === null || at === null || Object.keys(problems).length > 0) return { values, problems, person: null };
  const person = {
    email,
    source: toSource(text("source")) ?? OWNER_SOURCE,
    answers: Object.keys(answers).length === 0 ? null : answers,
    consent: { at, note },
    sendsEmail: text("send") === "yes",
  };
  return { values, problems, person };
}
