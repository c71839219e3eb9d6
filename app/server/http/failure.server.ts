import { quotaMessage } from "#app/server/db/daily-quota.server.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import { newErrorReference } from "#app/server/http/error-reference.ts";
import { type LogFields, logError } from "#app/server/log.ts";

/** Logs an exception, and returns what visitors are told, with status 503. The reference identifies the log line. */
export function toFailureMessage(
  error: unknown,
  { event, ...fields }: { event: string } & LogFields,
  toMessage: (reference: string) => string,
  now: number,
): string {
  const reference = newErrorReference();
  logError(event, error, { reference, ...fields });
  return findQuotaError(error) === null ? toMessage(reference) : quotaMessage(now);
}
