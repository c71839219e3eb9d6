import { quotaEnd, quotaRetryAfter } from "#app/server/db/daily-quota.server.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import { newErrorReference } from "#app/server/error-reference.ts";
import { type LogFields, logError } from "#app/server/log.ts";
import { failureMessage, quotaMessage } from "#app/waitlist/messages.ts";

/** What visitors are told when something unexpected happens. */
export interface FailureMessages {
  /** @param reference identifies the line in the log */
  failed: (reference: string) => string;
  /** @param end when D1 accepts queries again */
  quota: (end: string) => string;
}

export const signUpFailure: FailureMessages = { failed: failureMessage, quota: quotaMessage };

/**
 * Logs an exception, and returns its response: 503, with the time to try again if D1's daily quota is used up.
 *
 * @param failure the event and fields of the log line
 */
export function toFailureResponse(
  error: unknown,
  { event, ...fields }: { event: string } & LogFields,
  messages: FailureMessages,
  now: number,
): { status: 503; message: string; headers: Record<string, string> } {
  const reference = newErrorReference();
  logError(event, error, { reference, ...fields });
  if (findQuotaError(error) === null) return { status: 503, message: messages.failed(reference), headers: {} };
  const headers = { "Retry-After": String(quotaRetryAfter(now)) };
  return { status: 503, message: messages.quota(quotaEnd(now)), headers };
}
