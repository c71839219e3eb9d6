import type { EmailReason } from "#app/email/reasons.ts";

/** A rendered email. Only its recipient address is user input. */
export interface EmailMessage {
  to: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface Mailer {
  /**
   * Submits an email for delivery.
   *
   * @param id idempotency key, the same for every attempt at one email
   * @throws {@link EmailError} when it was not accepted within {@link EMAIL_TIMEOUT}
   */
  send(message: EmailMessage, id: string): Promise<void>;
}

/** Milliseconds. */
export const EMAIL_TIMEOUT = 10_000;

export class EmailError extends Error {
  override name = "EmailError";
  /** Retrying cannot help. */
  readonly permanent: boolean;
  readonly reason: EmailReason | undefined;

  constructor(message: string, options: { permanent: boolean; reason?: EmailReason | undefined; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.permanent = options.permanent;
    this.reason = options.reason;
  }
}

/**
 * Throws on control characters in headers: a line break would inject a header (RFC 5322, section 2.2).
 * The local simulator accepts them, so tests depend on this check.
 */
export function rejectUnsafeHeaders(from: string, { to, replyTo, subject, headers }: EmailMessage): void {
  for (const [name, value] of Object.entries({ from, to, replyTo, subject, ...headers })) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
    if (/[\x00-\x1f\x7f\u2028\u2029]/.test(name + value) || /[^!-9;-~]/.test(name)) {
      throw new EmailError(`unsafe email header ${JSON.stringify(name)}`, { permanent: true });
    }
  }
}
