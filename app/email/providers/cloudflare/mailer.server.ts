import { describeError, redactAddresses } from "#app/server/log.ts";
import {
  EMAIL_TIMEOUT,
  type EmailMessage,
  type FailureKind,
  type ProviderMailer,
  refuseUnsafeHeaders,
  type SendOutcome,
} from "#app/server/mailer.server.ts";
import { parseSender } from "#app/server/sender.ts";
import { TimeoutError, withTimeout } from "#app/server/time/timeout.ts";
import { DAY } from "#app/server/time/units.ts";

/** What the site needs of the platform's type, which scripts do not have. */
type EmailBinding = {
  send(email: EmailMessage & { from: string | { name: string; email: string } }): Promise<unknown>;
};

/**
 * Sends email through the platform's `send_email` binding, which has no idempotency keys: an email whose acceptance is never
 * confirmed is sent again.
 *
 * @param isLocal whether emails are only written to files, so that letters can be tried
 */
export function cloudflareMailer(binding: EmailBinding, from: string, { isLocal = false } = {}): ProviderMailer {
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
  const { code, message } = error instanceof Error && "code" in error ? error : { code: "", message: "" };
  const failure = code === "E_RECIPIENT_SUPPRESSED" ? suppressionOutcome(message) : failures.get(`${code}`);
  return { ...(failure ?? { state: "unknown", reason: "provider-fault" }), detail: `${code} ${detail}` };
}

const unverified: FailureKind = { state: "configuration", reason: "unverified-sender" };
const rejected: FailureKind = { state: "permanent", reason: "rejected" };

/** https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes */
const failures = new Map(
  Object.entries<FailureKind>({
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
  }),
);

/** An address is suppressed for 24 hours after a soft bounce, by default. A policy of Cloudflare's own may end. */
const refusedForNow: FailureKind = {
  state: "later",
  scope: "email",
  reason: "refused-for-now",
  retryAfter: DAY,
};

const suppressions: Record<string, FailureKind> = {
  complaint: { state: "permanent", reason: "complaint" },
  manual: { state: "permanent", reason: "blocked" },
  hard_bounce: { state: "permanent", reason: "address-refused" },
  soft_bounce: refusedForNow,
  policy: refusedForNow,
};

/**
 * What `E_RECIPIENT_SUPPRESSED` means for the email. An address is suppressed after a complaint or by hand, without an
 * end; after a hard bounce, for 7 days or without an end; after a soft bounce, for 24 hours.
 *
 * The error is documented to have a code and a message, and no reason. So a reason counts only if the message names
 * exactly one. Otherwise the email waits like after a soft bounce: an attempt too many does no harm, since Cloudflare
 * refuses it without sending or counting it, whereas a wrong guess would keep email from someone for good. Complaints and
 * bounces are known from events (`events.server.ts`), and their addresses are not tried again.
 *
 * https://developers.cloudflare.com/email-service/concepts/suppressions/
 */
export function suppressionOutcome(message: string): FailureKind {
  // The address could contain the name of a reason.
  const words = redactAddresses(message)
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const [outcome = refusedForNow, ...others] = Object.keys(suppressions)
    .filter((name) => RegExp(`(?<![a-z])${name}(?![a-z])`).test(words))
    .map((name) => suppressions[name]);
  return others.length > 0 ? refusedForNow : outcome;
}
