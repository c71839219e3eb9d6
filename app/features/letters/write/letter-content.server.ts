import type { LetterContent } from "#app/features/letters/send/check-letter.server.ts";
import type { SavedFields } from "#app/server/db/schema/owner.server.ts";
import { cleanAddress } from "#app/server/email-address.ts";
import { fieldText } from "#app/server/http/read-form.server.ts";

/* What the form of a letter or a follow-up holds. */

/** A letter's form: ten times what a letter may have, so that a text which is too long is shown again with the reason. */
export const MAX_FORM_BYTES = 512 * 1_024;

export const TOO_LARGE = `The text is larger than ${MAX_FORM_BYTES / 1_024} KB and was not saved. Your browser may still have it when you go back. Shorten it.`;

export const EMPTY: LetterContent = { subject: "", preview_line: "", body: "", reply_to: null };

/** What a letter's form replaces, by which its versions are told apart. */
export function contentFields({ subject, preview_line, reply_to, body }: LetterContent): SavedFields {
  return [
    ["subject", subject],
    ["preview-line", preview_line],
    ["reply-to", reply_to ?? ""],
    ["body", body],
  ];
}

/** What was typed. Forms send each line break as two characters. */
export function readContent(form: FormData): LetterContent {
  const body = form.get("body");
  const replyTo = fieldText(form, "reply-to");
  return {
    subject: fieldText(form, "subject"),
    preview_line: fieldText(form, "preview-line"),
    body: typeof body === "string" ? body.replace(/\r\n?/g, "\n") : "",
    reply_to: (cleanAddress(replyTo) ?? replyTo) || null,
  };
}
