/** How someone gave their consent outside the site, in the owner's words (characters). */
export const MAX_CONSENT_NOTE_LENGTH = 300;

export function cleanConsentNote(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .toWellFormed();
}

/** What is wrong with such a note, as a sentence; null if nothing. @param who those who agreed */
export function consentNoteProblem(note: string, who: "these people" | "this person"): string | null {
  if (note === "") return `Say how ${who} agreed, such as “Ticked the box on the list at the autumn fair”.`;
  const max = MAX_CONSENT_NOTE_LENGTH;
  return note.length > max ? `The note on how they agreed is longer than ${max} characters.` : null;
}
