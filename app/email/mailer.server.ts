import { withTimeLimit } from "#app/time-limit.ts";

/** A mail as a value; nothing in it was typed by a stranger but the address it goes to. */
export interface Mail {
  to: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface Mailer {
  /**
   * Hands a mail over for delivery.
   *
   * @throws {@link MailError} when it was not accepted, or not within {@link MAIL_TIME_LIMIT}
   */
  send(mail: Mail): Promise<void>;
}

/** Milliseconds. */
export const MAIL_TIME_LIMIT = 10_000;

export class MailError extends Error {
  override name = "MailError";
  /** Trying again cannot help. */
  readonly permanent: boolean;

  constructor(message: string, options: { permanent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.permanent = options.permanent;
  }
}

/**
 * Mail through the platform's `send_email` binding, sent as `from`.
 *
 * The binding knows no idempotency key: a mail whose acceptance we never learn of is sent again.
 */
export function bindingMailer(binding: SendEmail, from: string): Mailer {
  return {
    async send({ to, replyTo, subject, text, html, headers }) {
      refuseUnsafeHeaders({ from, to, replyTo, subject, ...headers });
      try {
        const message = { from, to, replyTo, subject, text, html, headers };
        await withTimeLimit(binding.send(message), MAIL_TIME_LIMIT, "mail");
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
        throw new MailError(`the mail binding refused (${code})`, { permanent: isPermanent(code), cause: error });
      }
    },
  };
}

/**
 * A line break inside a header starts a header of the writer's choice (RFC 5322, section 2.2). The local simulator
 * lets one through, so this is the only check that tests ever see.
 */
function refuseUnsafeHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    if (/[\x00-\x1f\x7f\u2028\u2029]/.test(name + value) || /[^!-9;-~]/.test(name)) {
      throw new MailError(`unsafe mail header ${JSON.stringify(name)}`, { permanent: true });
    }
  }
}

/**
 * The recipient's server has turned this sender away before, and the platform will not try again.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
function isPermanent(code: string): boolean {
  return code === "E_RECIPIENT_SUPPRESSED";
}
