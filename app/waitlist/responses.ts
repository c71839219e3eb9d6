import { messages } from "#app/waitlist/messages.ts";
import type { SignUpOutcome } from "#app/waitlist/sign-up.server.ts";
import { suggestAddress } from "#app/waitlist/suggest-address.server.ts";

/** A sign-up's outcome as an HTTP response, the same at every entry point. */
export interface SignUpResponse {
  status: number;
  code: SignUpOutcome["kind"];
  message: string;
  /** A correction of the typed address, where its domain is probably misspelt. */
  suggestion: string | undefined;
  headers: Record<string, string>;
}

const statuses: Record<SignUpOutcome["kind"], number> = {
  joined: 201,
  "already-joined": 409,
  "invalid-email": 422,
  "invalid-source": 422,
  "disposable-email": 422,
  "rate-limited": 429,
  "challenge-failed": 403,
};

/** Outcomes after which trying again with another address makes sense. */
const suggestible: readonly SignUpOutcome["kind"][] = ["joined", "already-joined", "invalid-email", "disposable-email"];

/** @param typed the address as it was typed, where a correction of it can be shown */
export function toResponse(outcome: SignUpOutcome, typed?: unknown): SignUpResponse {
  return {
    status: statuses[outcome.kind],
    code: outcome.kind,
    message: messages[isMailboxLimit(outcome) ? "mailbox-limited" : outcome.kind],
    suggestion: suggestible.includes(outcome.kind) ? suggestAddress(typed) : undefined,
    headers: outcome.kind === "rate-limited" ? { "Retry-After": String(outcome.retryAfter) } : {},
  };
}

function isMailboxLimit(outcome: SignUpOutcome): boolean {
  return outcome.kind === "rate-limited" && outcome.limit === "mailbox";
}
