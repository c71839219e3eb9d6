import type { RateLimitState, SendOutcome } from "#app/email/mailer.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";

export interface ResendResponse {
  status: number;
  headers: Headers;
  /** It has a status of success and the email's id. */
  accepted: boolean;
  /** Both empty if the body is not an error of Resend's API. */
  error: { name: string; message: string };
}

/**
 * What a response of Resend's API means. The name of an error decides; for names that are not known, its status.
 * https://resend.com/docs/api-reference/errors and https://resend.com/docs/api-reference/rate-limit
 */
export function toOutcome(response: ResendResponse): SendOutcome {
  const { status, headers, accepted, error } = response;
  if (accepted) return { state: "sent", delay: delayAfter(headers) };
  const detail = `Resend responded with ${status} ${error.name}: ${error.message}`;
  const failed = (state: "configuration" | "permanent" | "unknown", reason: EmailReason) =>
    ({ state, reason, detail }) as const;
  const later = (scope: "all" | "email", reason: EmailReason, retryAfter: number | null) =>
    ({ state: "later", scope, reason, retryAfter, detail }) as const;
  const retryAfter = seconds(headers, "retry-after");
  switch (error.name) {
    case "missing_api_key":
    case "invalid_api_key":
    case "restricted_api_key":
    case "suspended_api_key":
    case "invalid_access":
      return failed("configuration", "wrong-key");
    case "invalid_from_address":
      return failed("configuration", "unverified-sender");
    case "validation_error":
      // 401: no such key. 400 is also for a key that has not the form of one. 403: the sender's domain is not verified.
      if (status === 401 || /^API key is invalid/i.test(error.message)) return failed("configuration", "wrong-key");
      // Other statuses: a field of this email is invalid.
      return status === 403 ? failed("configuration", "unverified-sender") : failed("permanent", "rejected");
    case "not_found":
    case "method_not_allowed":
      return failed("configuration", "refused-request");
    case "invalid_idempotent_request":
      // An earlier attempt with another body may have been accepted, and every retry gets this response.
      return failed("permanent", "outcome-unknown");
    case "concurrent_idempotent_requests":
      return later("email", "in-progress", retryAfter);
    case "daily_quota_exceeded":
      return later("all", "daily-quota", retryAfter);
    case "monthly_quota_exceeded":
      return later("all", "monthly-quota", retryAfter);
  }
  if (status === 401) return failed("configuration", "wrong-key");
  // The edge, not the API, refuses requests without a User-Agent: 403 with "error code: 1010".
  if (status === 402 || status === 403 || status === 404 || status === 405) {
    return failed("configuration", "refused-request");
  }
  if (status === 429) return later("all", "rate-limit", retryAfter ?? seconds(headers, "ratelimit-reset"));
  if (status >= 500) return later("email", "provider-fault", retryAfter);
  // Neither an error nor an acceptance, such as the page of a proxy.
  if (status < 400 || status === 409) return failed("unknown", "provider-fault");
  return failed("permanent", "rejected");
}

/** Every response says how many requests are left in the current window, and when the next one begins. */
function delayAfter(headers: Headers): number | undefined {
  if (headers.get("ratelimit-remaining") !== "0") return undefined;
  return seconds(headers, "ratelimit-reset") ?? 1_000;
}

/** https://resend.com/docs/api-reference/rate-limit */
export function rateLimitState(headers: Headers): RateLimitState | null {
  const [limit, remaining] = ["ratelimit-limit", "ratelimit-remaining"].map((name) => {
    const value = headers.get(name) ?? "";
    return /^\d{1,7}$/.test(value) ? Number(value) : null;
  });
  if (!limit || remaining === undefined || remaining === null) return null;
  return { limit, remaining, reset: seconds(headers, "ratelimit-reset") ?? 1_000 };
}

/** A header's number of seconds, in milliseconds; null if it is absent or malformed. */
function seconds(headers: Headers, name: string): number | null {
  const value = headers.get(name) ?? "";
  return /^\d{1,7}(\.\d+)?$/.test(value) ? Math.ceil(Number(value) * 1_000) : null;
}
