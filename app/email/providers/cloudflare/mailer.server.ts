import {
  EMAIL_TIMEOUT,
  type EmailMessage,
  type FailureKind,
  type ProviderMailer,
  refuseUnsafeHeaders,
  type SendOutcome,
} from "#app/email/mailer.server.ts";
import { suppressionOutcome } from "#app/email/providers/cloudflare/suppression.server.ts";
import { describeError } from "#app/server/log.ts";
import { parseSender } from "#app/server/sender.ts";
import { TimeoutError, withTimeout } from "#app/server/timeout.ts";

/**
 * Sends email through the platform's `send_email` binding.
 *
 * The binding has no idempotency keys: an email whose acceptance is never confirmed is sent again.
 *
 * @param isLocal whether emails are only written to files, so that letters can be tried
 */
export function cloudflareMailer(binding: SendEmail, from: string, { isLocal = false } = {}): ProviderMailer {
  // The binding takes the name apart from the address.
  const { name = null, address = from } = parseSender(from) ?? {};
  const sender = name === null ? address : { name, email: address };

  async function send(message: EmailMessage): Promise<SendOutcome> {
    const refused = refuseUnsafeHeaders(from, message);
    if (refused !== null) return refused;
    try {
      await withTimeout(binding.send({ from: sender, ...message }), EMAIL_TIMEOUT, "email binding");
      return { state: "sent" };
    } catch (error) {
      return toOutcome(error);
    }
  }

  const mailer = { provider: "Cloudflare", description: "Cloudflare", keyLifetime: 0, send };
  if (!isLocal) return mailer;
  return {
    ...mailer,
    description: "Saved on this computer; nothing is sent",
    async batch(messages) {
      const failed: number[] = [];
      for (const [index, { tags: _, ...message }] of messages.entries()) {
        if ((await send(message)).state !== "sent") failed.push(index);
      }
      return { state: "sent", failed, rateLimit: null };
    },
  };
}

function toOutcome(error: unknown): SendOutcome {
  const detail = describeError(error);
  if (error instanceof TimeoutError) return { state: "unknown", reason: "timed-out", detail };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return { ...failureOf(code, error), detail: `${code} ${detail}` };
}

function failureOf(code: string, error: unknown): FailureKind {
  if (code === "E_RECIPIENT_SUPPRESSED") return suppressionOutcome((error as Error).message);
  return Object.hasOwn(failures, code) ? (failures[code] as FailureKind) : failed;
}

const unverified: FailureKind = { state: "configuration", reason: "unverified-sender" };
const rejected: FailureKind = { state: "permanent", reason: "rejected" };
const failed: FailureKind = { state: "unknown", reason: "provider-fault" };

/** https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes */
const failures: Record<string, FailureKind> = {
  // Quotas: all email waits.
  E_RATE_LIMIT_EXCEEDED: { state: "later", scope: "all", reason: "rate-limit", retryAfter: null },
  E_DAILY_LIMIT_EXCEEDED: { state: "later", scope: "all", reason: "daily-quota", retryAfter: null },
  // The site's configuration: all email waits.
  E_SENDER_NOT_VERIFIED: unverified,
  E_SENDER_DOMAIN_NOT_AVAILABLE: unverified,
  E_RECIPIENT_NOT_ALLOWED: { state: "configuration", reason: "recipients-restricted" },
  // Temporary: this email waits.
  E_INTERNAL_SERVER_ERROR: { state: "later", scope: "email", reason: "provider-fault", retryAfter: null },
  E_DELIVERY_FAILED: { state: "unknown", reason: "delivery-failed" },
  // Permanent: this email is itself at fault.
  E_VALIDATION_ERROR: rejected,
  E_FIELD_MISSING: rejected,
  E_TOO_MANY_RECIPIENTS: rejected,
  E_CONTENT_TOO_LARGE: rejected,
  E_HEADER_NOT_ALLOWED: rejected,
  E_HEADER_USE_API_FIELD: rejected,
  E_HEADER_VALUE_INVALID: rejected,
  E_HEADER_VALUE_TOO_LONG: rejected,
  E_HEADER_NAME_INVALID: rejected,
  E_HEADERS_TOO_LARGE: rejected,
  E_HEADERS_TOO_MANY: rejected,
};
