import { html } from "#app/email/blocks/components.server.ts";
import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { EmailMessage } from "#app/server/mailer.server.ts";
import { fillGreetings } from "#app/waitlist/questions/greetings.server.ts";

type Rendered = Pick<EmailMessage, "subject" | "text" | "html">;

/**
 * Fills the greetings of a rendered email.
 *
 * @param answers those of the reader; null for the words of people without an answer
 */
export function greetReader(email: Rendered, answers: Answers | null): Rendered {
  return {
    subject: fillGreetings(email.subject, answers),
    text: fillGreetings(email.text, answers),
    html: fillGreetings(email.html, answers, (words) => html`${words}`.toString()),
  };
}
