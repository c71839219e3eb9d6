import type { Answers } from "#app/server/db/schema/entries.server.ts";
import type { Question } from "#app/site.ts";

/** What the ticket of someone who has joined shows. The sign-up API's response has these fields. */
export interface TicketData {
  /** The date of their entry: `27 November 2026`. */
  joinedOn?: string | undefined;
  /** What to know about the address, if it gets no email. */
  note?: string | undefined;
  /** Without it, their answers are shown and cannot be given. */
  answerToken?: string | undefined;
  questions?: readonly Question[] | undefined;
  /** What is stored already. */
  answered?: Answers | undefined;
  /** The response to answers given without JavaScript. */
  answers?: AnswerResult | undefined;
  mustConfirm?: boolean | undefined;
  /** The code of their personal link. */
  via?: string | undefined;
  suggestion?: string | undefined;
}

export interface AnswerResult {
  ok: boolean;
  /** What is stored now, as far as the page knows; and a text that was refused, to be corrected. */
  answers: Answers;
  code?: string | undefined;
  message: string;
}
