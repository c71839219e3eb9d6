/** The owner's note on an entry (characters, as a browser's `maxlength` counts them). */
export const MAX_NOTE_LENGTH = 2_000;

/** The form with the longest note: a character takes up to nine bytes when it is encoded for a form. */
export const MAX_NOTE_BODY_BYTES = 9 * MAX_NOTE_LENGTH + 1_000;

/**
 * A typed note without control characters other than line breaks and tabs; null if it is empty. With a `problem` it must
 * not be stored.
 */
export function parseNote(typed: unknown): { note: string | null; problem?: string } {
  if (typeof typed !== "string") return { note: null, problem: "The note is missing." };
  // Forms send each line break as two characters.
  const text = typed
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
  if (text.length <= MAX_NOTE_LENGTH) return { note: text === "" ? null : text };
  const excess = text.length - MAX_NOTE_LENGTH;
  return {
    note: text,
    problem: `The note is not saved: it is too long by ${excess} ${excess === 1 ? "character" : "characters"}.`,
  };
}
