import { isInternational, normaliseEmail } from "#app/server/email-address.ts";
import { britishDate } from "#app/server/time/british-date.ts";
import { askedQuestions } from "#app/waitlist/questions/questions.server.ts";
import { launchedMessage, messages, NO_EMAIL_NOTE } from "#app/waitlist/sign-up/messages.ts";
import type { SignUpOutcome } from "#app/waitlist/sign-up/sign-up.server.ts";
import { suggestAddress } from "#app/waitlist/sign-up/suggest-address.ts";

export const signUpStatuses: Record<SignUpOutcome["kind"], number> = {
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

/**
 * A sign-up's outcome as an HTTP response, the same at every entry point.
 *
 * @param email the address as it was typed, where a correction of it can be shown
 */
export function toResponse(outcome: SignUpOutcome, email?: unknown) {
  const questions = askedQuestions();
  const joined = outcome.kind === "joined" ? outcome : undefined;
  const headers: Record<string, string> =
    outcome.kind === "rate-limited" ? { "Retry-After": String(outcome.retryAfter) } : {};
  return {
    status: signUpStatuses[outcome.kind],
    code: outcome.kind,
    message: messageFor(outcome),
    launchUrl: outcome.kind === "launched" ? outcome.url : undefined,
    answerToken: joined?.answerToken,
    questions: joined && questions.length > 0 ? questions : undefined,
    joinedOn: joined && britishDate(joined.joinedAt).text,
    mustConfirm: joined?.mustConfirm || undefined,
    via: joined?.via,
    suggestion: suggestible.includes(outcome.kind) ? suggestAddress(email) : undefined,
    /** After joining with an address that gets no email: says so, and what to do. */
    note: joined && isInternational(normaliseEmail(email) ?? "") ? NO_EMAIL_NOTE : undefined,
    headers,
  };
}

function messageFor(outcome: SignUpOutcome): string {
  if (outcome.kind === "launched") return launchedMessage(outcome.url);
  const isMailboxLimit = outcome.kind === "rate-limited" && outcome.limit === "mailbox";
  return messages[isMailboxLimit ? "mailbox-limited" : outcome.kind];
}
