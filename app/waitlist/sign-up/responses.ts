import { isInternational, normaliseEmail } from "#app/server/email-address.ts";
import { type Question, questions } from "#app/site.ts";
import { launchedMessage, messages, NO_EMAIL_NOTE } from "#app/waitlist/sign-up/messages.ts";
import type { SignUpOutcome } from "#app/waitlist/sign-up/sign-up.server.ts";
import { suggestAddress } from "#app/waitlist/sign-up/suggest-address.ts";

/** A sign-up's outcome as an HTTP response, the same at every entry point. */
export interface SignUpResponse {
  status: number;
  code: SignUpOutcome["kind"];
  message: string;
  suggestion: string | undefined;
  /** After joining with an address that gets no email: says so, and what to do. */
  note: string | undefined;
  launchUrl: string | undefined;
  answerToken: string | undefined;
  questions: readonly Question[] | undefined;
  mustConfirm: true | undefined;
  /** After joining: the code of the visitor's personal link. */
  via: string | undefined;
  headers: Record<string, string>;
}

const signUpStatuses: Record<SignUpOutcome["kind"], number> = {
  joined: 201,
  "already-joined": 409,
  launched: 410,
  "invalid-email": 422,
  "invalid-source": 422,
  "unknown-wording": 422,
  "disposable-email": 422,
  "rate-limited": 429,
  "challenge-failed": 403,
};

/** Outcomes after which trying again with another address makes sense. */
const suggestible: readonly SignUpOutcome["kind"][] = ["joined", "already-joined", "invalid-email", "disposable-email"];

/** @param email the address as it was typed, where a correction of it can be shown */
export function toResponse(outcome: SignUpOutcome, email?: unknown): SignUpResponse {
  return {
    status: signUpStatuses[outcome.kind],
    code: outcome.kind,
    message: messageFor(outcome),
    launchUrl: outcome.kind === "launched" ? outcome.url : undefined,
    answerToken: outcome.kind === "joined" ? outcome.answerToken : undefined,
    questions: outcome.kind === "joined" && questions.length > 0 ? questions : undefined,
    mustConfirm: outcome.kind === "joined" && outcome.mustConfirm ? true : undefined,
    via: outcome.kind === "joined" ? outcome.via : undefined,
    suggestion: suggestible.includes(outcome.kind) ? suggestAddress(email) : undefined,
    note: outcome.kind === "joined" && isInternational(normaliseEmail(email) ?? "") ? NO_EMAIL_NOTE : undefined,
    headers: outcome.kind === "rate-limited" ? { "Retry-After": String(outcome.retryAfter) } : {},
  };
}

function messageFor(outcome: SignUpOutcome): string {
  if (outcome.kind === "launched") return launchedMessage(outcome.url);
  const isMailboxLimit = outcome.kind === "rate-limited" && outcome.limit === "mailbox";
  return messages[isMailboxLimit ? "mailbox-limited" : outcome.kind];
}
