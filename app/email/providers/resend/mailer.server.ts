import * as v from "valibot";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { USER_AGENT } from "#app/server/http/user-agent.ts";
import { describeError } from "#app/server/log.ts";
import {
  EMAIL_TIMEOUT,
  type EmailMessage,
  type ProviderMailer,
  type RateLimitState,
  refuseUnsafeHeaders,
  type SendFailure,
  type SendOutcome,
} from "#app/server/mailer.server.ts";
import { fetchWithTimeout, TimeoutError } from "#app/server/time/timeout.ts";
import { DAY, type Millis } from "#app/server/time/units.ts";

export const RESEND_ORIGIN = "https://api.resend.com";

/** https://resend.com/docs/api-reference/emails/send-email */
export function resendMailer(options: { apiKey: string; from: string; url?: string | undefined }): ProviderMailer {
  const { apiKey, from, url = RESEND_ORIGIN } = options;
  async function post<Schema extends v.GenericSchema>(
    path: string,
    { id, body, ...headers }: { id: string; body: unknown; "x-batch-validation"?: string },
    schema: Schema,
  ) {
    const init: RequestInit = {
      method: "POST",
      redirect: "manual",
      headers: {
        Authorization: `Bearer ${apiKey}`,
        "Content-Type": "application/json",
        "Idempotency-Key": id,
        "User-Agent": USER_AGENT,
        ...headers,
      },
      body: JSON.stringify(body),
    };
    const limit = { time: EMAIL_TIMEOUT, name: "Resend" };
    return fetchWithTimeout(`${url}${path}`, init, limit, (response) => read(response, schema)).catch(toFailure);
  }
  // Webhooks quote the tags, which find the email without its address.
  const toBody = ({ replyTo, ...fields }: EmailMessage, tags: Record<string, string>) => {
    return { from, reply_to: replyTo, ...fields, tags: Object.entries(tags).map(([name, value]) => ({ name, value })) };
  };
  return {
    provider: "Resend",
    description: `Resend, from ${from}`,
    // https://resend.com/docs/dashboard/emails/idempotency-keys
    keyLifetime: DAY,
    async send(message, id) {
      const refused = refuseUnsafeHeaders(from, message);
      if (refused !== null) return refused;
      const reply = await post("/emails", { id, body: toBody(message, { email_id: id }) }, acceptedSchema);
      return "state" in reply ? reply : toOutcome(reply);
    },
    async batch(messages, id) {
      for (const message of messages) {
        const refused = refuseUnsafeHeaders(from, message);
        if (refused !== null) return refused;
      }
      const body = messages.map(({ tags, ...message }) => toBody(message, tags));
      // By default, one rejected address would fail all the others.
      const reply = await post("/emails/batch", { id, body, "x-batch-validation": "permissive" }, batchSchema);
      if ("state" in reply) return reply;
      const outcome = toOutcome(reply);
      if (outcome.state !== "sent") return outcome;
      const failed = (reply.body?.errors ?? []).map(({ index }) => index);
      return { ...outcome, failed, rateLimit: rateLimitState(reply.headers) };
    },
  };
}

function toFailure(error: unknown): SendFailure {
  const reason = error instanceof TimeoutError ? "timed-out" : "unreachable";
  return { state: "unknown", reason, detail: describeError(error) };
}

type Reply = Awaited<ReturnType<typeof read>>;

async function read<Schema extends v.GenericSchema>(response: Response, schema: Schema) {
  const body: unknown = await response.json().catch(() => null);
  return {
    status: response.status,
    headers: response.headers,
    // Null unless the status is one of success and the body says what became of the emails.
    body: response.ok && v.is(schema, body) ? body : null,
    // Both empty if the body is not an error of Resend's API.
    error: v.is(errorSchema, body) ? body : { name: "", message: "" },
  };
}

const acceptedSchema = v.object({ id: v.string() });

const batchSchema = v.object({
  data: v.array(v.object({ id: v.string() })),
  errors: v.optional(v.array(v.object({ index: v.pipe(v.number(), v.integer(), v.minValue(0)) }))),
});

const errorSchema = v.object({ name: v.string(), message: v.string() });

/**
 * What a response of Resend's API means. The name of an error decides; for names that are not known, its status.
 * https://resend.com/docs/api-reference/errors and https://resend.com/docs/api-reference/rate-limit
 */
function toOutcome({ status, headers, body, error }: Reply): SendOutcome {
  if (body !== null) return { state: "sent", delay: delayAfter(headers) };
  const detail = `Resend responded with ${status} ${error.name}: ${error.message}`;
  const failed = (state: "configuration" | "permanent" | "unknown", reason: EmailReason) =>
    ({ state, reason, detail }) as const;
  const later = (scope: "all" | "email", reason: EmailReason, retryAfter: Millis | null) =>
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
function delayAfter(headers: Headers): Millis | undefined {
  if (headers.get("ratelimit-remaining") !== "0") return undefined;
  return seconds(headers, "ratelimit-reset") ?? 1_000;
}

function rateLimitState(headers: Headers): RateLimitState | null {
  const [limit, remaining] = ["ratelimit-limit", "ratelimit-remaining"].map((name) => {
    const value = headers.get(name) ?? "";
    return /^\d{1,7}$/.test(value) ? Number(value) : undefined;
  });
  if (!limit || remaining === undefined) return null;
  return { limit, remaining, reset: seconds(headers, "ratelimit-reset") ?? 1_000 };
}

/** A header's number of seconds; null if it is absent or malformed. */
function seconds(headers: Headers, name: string): Millis | null {
  const value = headers.get(name) ?? "";
  return /^\d{1,7}(\.\d+)?$/.test(value) ? Math.ceil(Number(value) * 1_000) : null;
}
