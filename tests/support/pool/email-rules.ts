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
  const { from, to, cc, bcc, replyTo, subject, text, html, headers = {} } = message;
  if (!from || !to || !subject) return "E_FIELD_MISSING";
  const sender = typeof from === "string" ? from : from.email;
  const recipients = [to, cc ?? [], bcc ?? []].flat().map(String);
  if (recipients.length > 50) return "E_TOO_MANY_RECIPIENTS";
  const addresses = [sender, ...recipients, ...(replyTo === undefined ? [] : [String(replyTo)])];
  if (!text && !html) return "E_VALIDATION_ERROR";
  if (!addresses.every((address) => ADDRESS.test(address)) || subject.length > 998 || /[\r\n]/.test(subject)) {
    return "E_VALIDATION_ERROR";
  }
  const domain = sender.split("@")[1] ?? "";
  if (!onboarded.includes(domain)) return "E_SENDER_DOMAIN_NOT_AVAILABLE";
  if (!verified.includes(domain)) return "E_SENDER_NOT_VERIFIED";
  const refusedHeader = headersRefusal(headers);
  if (refusedHeader !== null) return refusedHeader;
  if (bytes(`${text ?? ""}${html ?? ""}`) > 5 * 1_048_576) return "E_CONTENT_TOO_LARGE";
  if (allowed !== undefined && !recipients.every((address) => allowed.includes(address))) {
    return "E_RECIPIENT_NOT_ALLOWED";
  }
  if (recipients.some((address) => suppressed.includes(address))) return "E_RECIPIENT_SUPPRESSED";
  return sent >= (account.dailyLimit ?? Number.POSITIVE_INFINITY) ? "E_DAILY_LIMIT_EXCEEDED" : null;
}

function headersRefusal(given: Record<string, string>): string | null {
  const headers = Object.entries(given);
  const byName = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (API_FIELDS.has(lower)) return "E_HEADER_USE_API_FIELD";
    if (bytes(name) > 100 || !/^(x-[\w-]+|[a-z0-9-]+)$/i.test(name)) return "E_HEADER_NAME_INVALID";
    if (!lower.startsWith("x-") && !HEADERS.has(lower)) return "E_HEADER_NOT_ALLOWED";
    if (bytes(value) > 2_048) return "E_HEADER_VALUE_TOO_LONG";
    if (value === "" || /[\r\n]/.test(value) || values[lower]?.test(value) === false) return "E_HEADER_VALUE_INVALID";
  }
  const canBePosted = byName.get("list-unsubscribe")?.includes("<https://") === true;
  if (byName.has("list-unsubscribe-post") && !canBePosted) return "E_HEADER_VALUE_INVALID";
  if (headers.filter(([name]) => !/^x-/i.test(name)).length > 20) return "E_HEADERS_TOO_MANY";
  const size = headers.reduce((sum, [name, value]) => sum + bytes(name) + bytes(value) + 4, 0);
  return size > 16 * 1_024 ? "E_HEADERS_TOO_LARGE" : null;
}

/** The values of headers that do not accept any. */
const values: Record<string, RegExp> = {
  "list-unsubscribe": /^<(https:\/\/|mailto:)[^>]+>(, *<(https:\/\/|mailto:)[^>]+>)*$/,
  "list-unsubscribe-post": /^List-Unsubscribe=One-Click$/,
  precedence: /^(bulk|list|junk)$/,
  "auto-submitted": /^auto-(generated|replied|notified)$/,
  importance: /^(high|normal|low)$/,
  priority: /^(normal|non-urgent|urgent)$/,
  sensitivity: /^(personal|private|company-confidential)$/,
};
