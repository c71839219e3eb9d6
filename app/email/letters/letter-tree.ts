/** A letter's body, as far as Markdown goes in one. See `parse-letter.server.ts`. */
export type LetterBlock =
  | { type: "heading"; level: 1 | 2 | 3; children: LetterInline[] }
  | { type: "paragraph"; children: LetterInline[] }
  | { type: "button"; address: string; children: LetterInline[] }
  /** `address`: where the image leads, if it is a link. */
  | { type: "image"; source: string; alt: string; address: string | null }
  /** `start`: the first number; null for a list with bullets. */
  | { type: "list"; start: number | null; items: LetterBlock[][] }
  | { type: "quote"; children: LetterBlock[] }
  | { type: "rule" };

export type LetterInline =
  | { type: "text"; text: string }
  | { type: "line-break" }
  | { type: "strong" | "emphasis"; children: LetterInline[] }
  /** An https or mailto address, or one that begins with a placeholder. */
  | { type: "link"; address: string; children: LetterInline[] };

/** What is wrong with a body, as a sentence, and the line it stands on (from 1). */
export interface LetterProblem {
  line: number;
  text: string;
}
