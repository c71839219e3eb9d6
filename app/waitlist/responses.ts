import { messages } from "#app/waitlist/messages.ts";
import type { SignUpOutcome } from "#app/waitlist/sign-up.server.ts";

/** A sign-up's outcome as an HTTP response, the same at every entry point. */
export interface SignUpResponse {
  status: number;
  code: SignUpOutcome["kind"];
  message: string;
  headers: Record<string, string>;
}

const statuses: Record<SignUpOutcome["kind"], number> = {
  joined: 201,
  "already-joined": 409,
  "invalid-email": 422,
  "invalid-source": 422,
  "rate-limited": 429,
  "challenge-failed": 403,
};

export function toResponse(outcome: SignUpOutcome): SignUpResponse {
  return {
    status: statuses[outcome.kind],
    code: outcome.kind,
    message: messages[isMailboxLimit(outcome) ? "mailbox-limited" : outcome.kind],
    headers: outcome.kind === "rate-limited" ? { "Retry-After": String(outcome.retryAfter) } : {},
  };
}

function isMailboxLimit(outcome: SignUpOutcome): boolean {
  return outcome.kind === "rate-limited" && outcome.limit === "mailbox";
}
