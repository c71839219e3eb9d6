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
   * @param id the same for every try of one mail; a provider that knows idempotency keys then sends it once
   * @throws {@link EmailError} when it was not accepted, or not within {@link EMAIL_TIMEOUT}
   */
  send(mail: Mail, id: string): Promise<void>;
}

/** Milliseconds. */
export const EMAIL_TIMEOUT = 10_000;

export class EmailError extends Error {
  override name = "EmailError";
  /** Trying again cannot help. */
  readonly permanent: boolean;

  constructor(message: string, options: { permanent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.permanent = options.permanent;
  }
}

/**
 * Throws where a header holds a line break, which would start a header of the writer's choice (RFC 5322, section 2.2).
 * The local simulator lets one through, so this is the only check that tests ever see.
 */
export function rejectUnsafeHeaders(from: string, { to, replyTo, subject, headers }: Mail): void {
  for (const [name, value] of Object.entries({ from, to, replyTo, subject, ...headers })) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    if (/[\x00-\x1f\x7f\u2028\u2029]/.test(name + value) || /[^!-9;-~]/.test(name)) {
      throw new EmailError(`unsafe mail header ${JSON.stringify(name)}`, { permanent: true });
    }
  }
}
