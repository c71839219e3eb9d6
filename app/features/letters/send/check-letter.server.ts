import { hiddenCharacter } from "#app/email/hidden-character.ts";
import { type LetterProblem, NOTHING_WRITTEN } from "#app/features/letters/send/letter-problems.server.ts";
import type { Letter } from "#app/features/letters/send/letters.server.ts";
import { parseLetter } from "#app/features/letters/send/parse-letter.server.ts";
import { isEmailAddress } from "#app/server/email-address.ts";
import { lineGreetingProblem } from "#app/waitlist/questions/greetings.server.ts";

/** What the owner writes, in a letter or a step. The preview line may be empty. */
export type LetterContent = Pick<Letter, "subject" | "preview_line" | "body" | "reply_to">;

export type LetterProblems = Record<"subject" | "preview_line" | "reply_to", string | null> & { body: LetterProblem[] };

/** Characters of the subject and of the preview line. Inboxes show about half as many. */
const MAX_LINE_LENGTH = 150;

/** What has to be mended before a letter can be sent; null if nothing. */
export function checkLetter({ subject, preview_line, body, reply_to }: LetterContent): LetterProblems | null {
  const problems = {
    subject: subject.trim() === "" ? "Write a subject." : lineProblem("The subject", subject),
    preview_line: lineProblem("The preview line", preview_line),
    body: parseLetter(body).problems,
    reply_to: reply_to === null || isEmailAddress(reply_to) ? null : NO_ADDRESS,
  };
  return hasProblem(problems) ? problems : null;
}

/** The same about a draft that is still being written: an empty subject or text is no problem yet. */
export function checkDraft(content: LetterContent): LetterProblems | null {
  const found = checkLetter(content);
  if (found === null) return null;
  const problems = {
    ...found,
    subject: content.subject.trim() === "" ? null : found.subject,
    body: found.body.filter(({ text }) => text !== NOTHING_WRITTEN),
  };
  return hasProblem(problems) ? problems : null;
}

function hasProblem({ body, ...fields }: LetterProblems): boolean {
  return body.length > 0 || Object.values(fields).some((problem) => problem !== null);
}

const NO_ADDRESS = "This is not an email address. Write one, without a name, or leave the field empty.";

/** A line break in the subject would begin another header (RFC 5322, section 2.2). */
function lineProblem(name: string, text: string): string | null {
  if (/[\r\n\u2028\u2029]/.test(text)) return `${name} must be one line.`;
  if (text.includes("\t") || hiddenCharacter.test(text))
    return `${name} has a character that cannot be shown. Type it again.`;
  if (text.length > MAX_LINE_LENGTH) return `${name} has ${text.length} characters. Shorten it to ${MAX_LINE_LENGTH}.`;
  const problem = lineGreetingProblem(text);
  return problem === null ? null : `${name}: ${problem}`;
}
