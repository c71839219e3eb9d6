import {
  EMAIL_TIMEOUT,
  type EmailMessage,
  type ProviderMailer,
  refuseUnsafeHeaders,
  type SendOutcome,
} from "#app/email/mailer.server.ts";
import type { EmailReason } from "#app/server/db/email-reasons.ts";
import { describeError } from "#app/server/log.ts";
import { TimeoutError, withTimeout } from "#app/server/timeout.ts";

/**
 * Sends email through the platform's `send_email` binding.
 *
 * The binding has no idempotency keys: an email whose acceptance is never confirmed is sent again.
 *
 * @param isLocal whether emails are only written to files, so that letters can be tried
 */
export function cloudflareMailer(binding: SendEmail, from: string, { isLocal = false } = {}): ProviderMailer {
  async function send(message: EmailMessage): Promise<SendOutcome> {
    const refused = refuseUnsafeHeaders(from, message);
    if (refused !== null) return refused;
    try {
      await withTimeout(binding.send({ from, ...message }), EMAIL_TIMEOUT, "email binding");
      return { state: "sent" };
    } catch (error) {
      return toOutcome(error);
    }
  }

  const mailer = { provider: "Cloudflare", description: "Cloudflare", keyLifetime: 0, send };
  if (!isLocal) return mailer;
  return {
    ...mailer,
    description: "Files on this computer: nothing leaves it",
    async batch(messages) {
      const failed: number[] = [];
      for (const [index, { tags: _, ...message }] of messages.entries()) {
        if ((await send(message)).state !== "sent") failed.push(index);
      }
      return { state: "sent", failed, rateLimit: null };
    },
  };
}

/** https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes */
function toOutcome(error: unknown): SendOutcome {
  const detail = describeError(error);
  if (error instanceof TimeoutError) return { state: "unknown", reason: "timed-out", detail };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const later = (scope: "all" | "email", reason: EmailReason) =>
    ({ state: "later", scope, reason, retryAfter: null, detail: `${code} ${detail}` }) as const;
  const failed = (state: "configuration" | "permanent" | "unknown", reason: EmailReason) =>
    ({ state, reason, detail: `${code} ${detail}` }) as const;
  switch (code) {
    case "E_RATE_LIMIT_EXCEEDED":
      return later("all", "rate-limit");
    case "E_DAILY_LIMIT_EXCEEDED":
      return later("all", "daily-quota");
    case "E_INTERNAL_SERVER_ERROR":
      return later("email", "provider-fault");
    case "E_SENDER_NOT_VERIFIED":
    case "E_SENDER_DOMAIN_NOT_AVAILABLE":
      return failed("configuration", "unverified-sender");
    case "E_RECIPIENT_NOT_ALLOWED":
      return failed("configuration", "recipients-restricted");
    case "E_RECIPIENT_SUPPRESSED":
      return failed("permanent", "address-refused");
    case "E_VALIDATION_ERROR":
    case "E_FIELD_MISSING":
    case "E_TOO_MANY_RECIPIENTS":
    case "E_CONTENT_TOO_LARGE":
    case "E_HEADER_NOT_ALLOWED":
    case "E_HEADER_USE_API_FIELD":
    case "E_HEADER_VALUE_INVALID":
    case "E_HEADER_VALUE_TOO_LONG":
    case "E_HEADER_NAME_INVALID":
    case "E_HEADERS_TOO_LARGE":
    case "E_HEADERS_TOO_MANY":
      return failed("permanent", "rejected");
    case "E_DELIVERY_FAILED":
      return failed("unknown", "delivery-failed");
    default:
      return failed("unknown", "provider-fault");
  }
}
