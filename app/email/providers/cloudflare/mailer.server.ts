import {
  EMAIL_TIMEOUT,
  type EmailMessage,
  type ProviderMailer,
  refuseUnsafeHeaders,
  type SendFailure,
  type SendOutcome,
} from "#app/email/mailer.server.ts";
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

function toOutcome(error: unknown): SendOutcome {
  const detail = describeError(error);
  if (error instanceof TimeoutError) return { state: "unknown", reason: "timed-out", detail };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const outcome = rejections.test(code) ? rejected : (outcomes[code] ?? { state: "unknown", reason: "provider-fault" });
  return { ...outcome, detail: `${code} ${detail}` };
}

type Outcome<State> = State extends SendFailure ? Omit<State, "detail"> : never;

const later = { state: "later", retryAfter: null } as const;
const unverified = { state: "configuration", reason: "unverified-sender" } as const;
const rejected = { state: "permanent", reason: "rejected" } as const;

/** https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes */
const outcomes: Record<string, Outcome<SendFailure>> = {
  E_RATE_LIMIT_EXCEEDED: { ...later, scope: "all", reason: "rate-limit" },
  E_DAILY_LIMIT_EXCEEDED: { ...later, scope: "all", reason: "daily-quota" },
  E_INTERNAL_SERVER_ERROR: { ...later, scope: "email", reason: "provider-fault" },
  E_SENDER_NOT_VERIFIED: unverified,
  E_SENDER_DOMAIN_NOT_AVAILABLE: unverified,
  E_RECIPIENT_NOT_ALLOWED: { state: "configuration", reason: "recipients-restricted" },
  E_RECIPIENT_SUPPRESSED: { state: "permanent", reason: "address-refused" },
  E_DELIVERY_FAILED: { state: "unknown", reason: "delivery-failed" },
};

/** Codes for an email that is itself at fault. */
const rejections = /^E_(VALIDATION_ERROR|FIELD_MISSING|TOO_MANY_RECIPIENTS|CONTENT_TOO_LARGE|HEADERS?_[A-Z_]+)$/;
