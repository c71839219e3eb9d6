import type { LetterContent } from "#app/email/letters/check-letter.server.ts";

/** A letter's form: ten times what a letter may have, so that a text which is too long is shown again with the reason. */
export const MAX_FORM_BYTES = 512 * 1_024;

export const formTooLarge = `The text is larger than ${MAX_FORM_BYTES / 1_024} KB and was not saved. Go back in your browser to find it, and shorten it.`;

/** What was typed. Forms send each line break as two characters. */
export function readContent(form: FormData): LetterContent {
  const typed = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    subject: typed("subject").trim(),
    previewLine: typed("preview-line").trim(),
    body: typed("body").replace(/\r\n?/g, "\n"),
  };
}
