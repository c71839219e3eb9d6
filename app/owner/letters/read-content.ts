import type { LetterContent, LetterWords } from "#app/email/letters/check-letter.server.ts";
import { cleanAddress } from "#app/server/email-address.ts";
import { fieldText } from "#app/server/read-form.server.ts";

/** A letter's form: ten times what a letter may have, so that a text which is too long is shown again with the reason. */
export const MAX_FORM_BYTES = 512 * 1_024;

export const TOO_LARGE = `The text is larger than ${MAX_FORM_BYTES / 1_024} KB and was not saved. Go back in your browser to find it, and shorten it.`;

export const EMPTY: LetterContent = { subject: "", previewLine: "", body: "", replyTo: "" };

/** What was typed. Forms send each line break as two characters. */
export function readContent(form: FormData): LetterContent {
  const body = form.get("body");
  const replyTo = fieldText(form, "reply-to");
  return {
    subject: fieldText(form, "subject"),
    previewLine: fieldText(form, "preview-line"),
    body: typeof body === "string" ? body.replace(/\r\n?/g, "\n") : "",
    replyTo: cleanAddress(replyTo) ?? replyTo,
  };
}

/** The columns of what was typed. */
export function toWords({ subject, previewLine, body, replyTo }: LetterContent): LetterWords {
  return { subject, preview_line: previewLine, body, reply_to: replyTo === "" ? null : replyTo };
}
