import type { LetterProblem } from "#app/email/letters/letter-problems.server.ts";
import type { Letter } from "#app/email/letters/letters.server.ts";
import { parseLetter } from "#app/email/letters/parse-letter.server.ts";

/** What the owner writes. */
export interface LetterContent {
  subject: string;
  /** What inboxes show after the subject; may be empty. */
  previewLine: string;
  /** Markdown, see `parse-letter.server.ts`. */
  body: string;
}

export function toContent({ subject, preview_line, body }: Letter): LetterContent {
  return { subject, previewLine: preview_line, body };
}

/** What is wrong with a letter, in sentences, by field. */
export interface LetterProblems {
  subject: string | null;
  previewLine: string | null;
  body: LetterProblem[];
}

/** Characters of the subject and of the preview line. Inboxes show about half as many. */
const MAX_LINE_LENGTH = 150;

/** What has to be mended before a letter can be sent; null if nothing. */
export function checkLetter({ subject, previewLine, body }: LetterContent): LetterProblems | null {
  const problems = {
    subject: subject.trim() === "" ? "Write a subject." : lineProblem("The subject", subject),
    previewLine: lineProblem("The preview line", previewLine),
    body: parseLetter(body).problems,
  };
  const isRight = problems.subject === null && problems.previewLine === null && problems.body.length === 0;
  return isRight ? null : problems;
}

/** A line break in the subject would begin another header (RFC 5322, section 2.2). */
function lineProblem(name: string, text: string): string | null {
  if (/[\r\n\u2028\u2029]/.test(text)) return `${name} must be one line.`;
  if (/[\p{Cc}\ufffd]/u.test(text)) return `${name} has a character that cannot be shown. Type it again.`;
  if (text.length > MAX_LINE_LENGTH) return `${name} has ${text.length} characters. Shorten it to ${MAX_LINE_LENGTH}.`;
  if (text.includes("{{")) return `${name} cannot have placeholders such as {{…}}.`;
  return null;
}
