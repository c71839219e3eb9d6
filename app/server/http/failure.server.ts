import { quotaMessage } from "#app/server/db/daily-quota.server.ts";
import { findQuotaError } from "#app/server/db/daily-quota-error.ts";
import { type LogFields, logError } from "#app/server/log.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** Logs an exception, and returns what visitors are told, with status 503. The reference identifies the log line. */
export function toFailureMessage(
  error: unknown,
  { event, ...fields }: { event: string } & LogFields,
  toMessage: (reference: string) => string,
  now: EpochMillis,
): string {
  const reference = newErrorReference();
  logError(event, error, { reference, ...fields });
  return findQuotaError(error) === null ? toMessage(reference) : quotaMessage(now);
}

/** Crockford's base 32: no I, L, O or U, so a reference can be read out over the telephone. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A random reference such as `7Q2F-M0XK`, shown to the visitor and written to the log. */
export function newErrorReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const characters = Array.from(bytes, (byte) => ALPHABET[byte % 32]);
  return `${characters.slice(0, 4).join("")}-${characters.slice(4).join("")}`;
}
