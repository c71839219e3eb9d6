/**
 * D1 refuses every query until midnight UTC, because the Cloudflare account has read or written the rows that its day on
 * the free plan includes.
 */
export class DailyQuotaError extends Error {
  override name = "DailyQuotaError";
}

/**
 * Whether this error is D1's refusal. Documented as "Your account has exceeded D1's free tier daily row write limit.
 * Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue."; the wording may change.
 * https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
 */
export function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return [/\bD1(?:\b|_)/, /exceed/i, /\bdaily\b|\bday\b|\bmidnight\b/i, /limit|quota/i].every((word) =>
    word.test(error.message),
  );
}

/** The {@link DailyQuotaError} that an error is, or was caused by; Drizzle wraps errors. */
export function findQuotaError(error: unknown): DailyQuotaError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DailyQuotaError) return cause;
  }
  return null;
}
