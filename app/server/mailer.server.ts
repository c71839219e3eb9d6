import type { EmailReason } from "#app/server/db/email-reasons.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/** A rendered email. Only its recipient address is user input. */
export interface EmailMessage {
  to: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

/** What a provider's response means for the email, and for all others. */
export type SendOutcome =
  /** Accepted. `delay`: the provider takes no further request for this long. */
  | { state: "sent"; delay?: Millis | undefined }
  /** Not now: either no email, or only not this one. `retryAfter` is null if the provider names no time. */
  | { state: "later"; scope: "all" | "email"; reason: EmailReason; retryAfter: Millis | null; detail: string }
  | { state: "configuration"; reason: EmailReason; detail: string }
  /** A retry of this email cannot succeed. */
  | { state: "permanent"; reason: EmailReason; detail: string }
  /** The provider may have accepted the email. */
  | { state: "unknown"; reason: EmailReason; detail: string };

export type SendFailure = Exclude<SendOutcome, { state: "sent" }>;

export type FailureKind = WithoutDetail<SendFailure>;
type WithoutDetail<Failure> = Failure extends SendFailure ? Omit<Failure, "detail"> : never;

/** What a provider's response means for a batch of emails. `failed`: which of an accepted batch it rejected, by index. */
export type BatchOutcome =
  | (Extract<SendOutcome, { state: "sent" }> & { failed: number[]; rateLimit: RateLimitState | null })
  | SendFailure;

export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Until the next window. */
  reset: Millis;
}

/** An email of a batch. Webhooks quote its tags: letters, digits, dashes and underscores. */
export interface BatchMessage extends EmailMessage {
  tags: Record<string, string>;
}

export interface Mailer {
  /** How long a retry with the same idempotency key sends no email twice. 0 without such keys. */
  readonly keyLifetime: Millis;
  /** Submits an email, within {@link EMAIL_TIMEOUT}. Never throws. `id`: its idempotency key, at every attempt. */
  send(message: EmailMessage, id: string): Promise<SendOutcome>;
  /** Submits at most 100 emails with one request, likewise. Providers without it cannot send letters. */
  batch?(messages: BatchMessage[], id: string): Promise<BatchOutcome>;
}

export interface ProviderMailer extends Mailer {
  readonly provider: string;
  /** The provider, as the owner reads it. */
  readonly description: string;
}

export const EMAIL_TIMEOUT: Millis = 10_000;

/**
 * The outcome for an email with control characters in its headers, or null: a line break would inject a header
 * (RFC 5322, section 2.2). The local simulator accepts them, so tests depend on this check.
 */
export function refuseUnsafeHeaders(from: string, message: EmailMessage): SendFailure | null {
  const { to, replyTo, subject, headers } = message;
  for (const [name, value] of Object.entries({ from, to, replyTo, subject, ...headers })) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
    if (/[\x00-\x1f\x7f\u2028\u2029]/.test(name + value) || /[^!-9;-~]/.test(name)) {
      return { state: "permanent", reason: "unsafe-header", detail: `unsafe email header ${JSON.stringify(name)}` };
    }
  }
  return null;
}

export function hasForgottenKey(
  { keyLifetime }: Pick<Mailer, "keyLifetime">,
  firstAttemptAt: EpochMillis,
  now: EpochMillis,
) {
  return keyLifetime > 0 && now - firstAttemptAt >= keyLifetime;
}
