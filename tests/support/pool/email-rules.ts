/*
 * What the real email binding refuses, and the local simulator accepts.
 * https://developers.cloudflare.com/email-service/reference/headers/ and /platform/limits/
 */

/** An account of the Email Service. */
export interface StrictAccount {
  /** Domains that may send. */
  onboarded?: string[];
  verified?: string[];
  /** Recipients on the suppression list. */
  suppressed?: string[];
  /** The message of the error for them. */
  suppression?: string;
  /** The only recipients that are allowed, where a binding restricts them. */
  allowed?: string[];
  /** Emails a day. */
  dailyLimit?: number;
}

const HEADERS = new Set(
  `in-reply-to references list-unsubscribe list-unsubscribe-post list-id list-archive list-help list-owner list-post
  list-subscribe precedence auto-submitted content-language keywords comments importance priority sensitivity
  organization require-recipient-valid-since expires reply-by archived-at`.split(/\s+/),
);

const API_FIELDS = new Set(["from", "to", "cc", "bcc", "subject", "reply-to"]);

const ADDRESS = /^[^\s@<>(),;:"[\]\\]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

const bytes = (text: string) => new TextEncoder().encode(text).byteLength;

/** The code of the error for an email, or null if it is accepted. @param sent emails sent today */
export function refusalOf(message: EmailMessageBuilder, account: StrictAccount, sent: number): string | null {
  const { onboarded = ["waitlist-site.example"], verified = onboarded, suppressed = [], allowed } = account;
  const { from, to, replyTo, subject, text, html, headers = {} } = message;
  if (!from || !to || !subject) return "E_FIELD_MISSING";
  const sender = typeof from === "string" ? from : from.email;
  const recipients = [to].flat().map(String);
  if (recipients.length > 50) return "E_TOO_MANY_RECIPIENTS";
  const addresses = [sender, ...recipients, ...(replyTo === undefined ? [] : [String(replyTo)])];
  if (!text && !html) return "E_VALIDATION_ERROR";
  if (!addresses.every((address) => ADDRESS.test(address)) || subject.length > 998 || /[\r\n]/.test(subject)) {
    return "E_VALIDATION_ERROR";
  }
  const domain = sender.split("@")[1] ?? "";
  if (!onboarded.includes(domain)) return "E_SENDER_DOMAIN_NOT_AVAILABLE";
  if (!verified.includes(domain)) return "E_SENDER_NOT_VERIFIED";
  const refusedHeader = headersRefusal(Object.entries(headers));
  if (refusedHeader !== null) return refusedHeader;
  if (bytes(`${text ?? ""}${html ?? ""}`) > 5 * 1_048_576) return "E_CONTENT_TOO_LARGE";
  if (allowed !== undefined && !recipients.every((address) => allowed.includes(address))) {
    return "E_RECIPIENT_NOT_ALLOWED";
  }
  if (recipients.some((address) => suppressed.includes(address))) return "E_RECIPIENT_SUPPRESSED";
  return sent >= (account.dailyLimit ?? Number.POSITIVE_INFINITY) ? "E_DAILY_LIMIT_EXCEEDED" : null;
}

function headersRefusal(headers: [string, string][]): string | null {
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (API_FIELDS.has(lower)) return "E_HEADER_USE_API_FIELD";
    if (name.length > 100 || !/^(x-[\w-]+|[a-z0-9-]+)$/i.test(name)) return "E_HEADER_NAME_INVALID";
    if (!lower.startsWith("x-") && !HEADERS.has(lower)) return "E_HEADER_NOT_ALLOWED";
    if (bytes(value) > 2_048) return "E_HEADER_VALUE_TOO_LONG";
    if (value === "" || /[\r\n]/.test(value) || !isValid(lower, value)) return "E_HEADER_VALUE_INVALID";
  }
  if (headers.filter(([name]) => !/^x-/i.test(name)).length > 20) return "E_HEADERS_TOO_MANY";
  const size = headers.reduce((sum, [name, value]) => sum + bytes(name) + bytes(value) + 4, 0);
  return size > 16 * 1_024 ? "E_HEADERS_TOO_LARGE" : null;
}

function isValid(name: string, value: string): boolean {
  if (name === "list-unsubscribe") return /^<(https:\/\/|mailto:)[^>]+>(, *<(https:\/\/|mailto:)[^>]+>)*$/.test(value);
  if (name === "list-unsubscribe-post") return value === "List-Unsubscribe=One-Click";
  if (name === "auto-submitted") return /^auto-(generated|replied|notified)$/.test(value);
  return true;
}
