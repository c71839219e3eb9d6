/*
 * What the real email binding refuses, and the local simulator accepts. It also refuses what none of this site's emails has.
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

const ADDRESS = /^[^\s@<>(),;:"[\]\\]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

/** The headers that this site's emails have, and which values they accept. Look others up on the pages above before adding them. */
const headerValues: Record<string, RegExp> = {
  "Auto-Submitted": /^auto-(generated|replied|notified)$/,
  "List-Id": /^[^\r\n]+$/,
  "List-Unsubscribe": /^<(https:\/\/|mailto:)[^>\r\n]+>(, *<(https:\/\/|mailto:)[^>\r\n]+>)*$/,
  "List-Unsubscribe-Post": /^List-Unsubscribe=One-Click$/,
};

const bytes = (text: string) => new TextEncoder().encode(text).byteLength;

/** The code of the error for an email to one person, or null if it is accepted. @param sent emails sent today */
export function refusalOf(message: EmailMessageBuilder, account: StrictAccount, sent: number): string | null {
  const { onboarded = ["waitlist-site.example"], verified = onboarded, suppressed = [], allowed } = account;
  const { from, to, replyTo, subject, text, html, headers = {}, ...others } = message;
  if (!from || !to || !subject) return "E_FIELD_MISSING";
  const sender = typeof from === "string" ? from : from.email;
  const recipient = String(to);
  const addresses = [sender, recipient, ...(replyTo === undefined ? [] : [String(replyTo)])];
  if ((!text && !html) || Object.keys(others).length > 0) return "E_VALIDATION_ERROR";
  if (!addresses.every((address) => ADDRESS.test(address)) || subject.length > 998 || /[\r\n]/.test(subject)) {
    return "E_VALIDATION_ERROR";
  }
  const domain = sender.split("@")[1] ?? "";
  if (!onboarded.includes(domain)) return "E_SENDER_DOMAIN_NOT_AVAILABLE";
  if (!verified.includes(domain)) return "E_SENDER_NOT_VERIFIED";
  for (const [name, value] of Object.entries(headers)) {
    if (headerValues[name] === undefined) return "E_HEADER_NOT_ALLOWED";
    if (bytes(value) > 2_048) return "E_HEADER_VALUE_TOO_LONG";
    if (!headerValues[name].test(value)) return "E_HEADER_VALUE_INVALID";
  }
  const canBePosted = headers["List-Unsubscribe"]?.includes("<https://") === true;
  if ("List-Unsubscribe-Post" in headers && !canBePosted) return "E_HEADER_VALUE_INVALID";
  if (bytes(`${text ?? ""}${html ?? ""}`) > 5 * 1_048_576) return "E_CONTENT_TOO_LARGE";
  if (allowed !== undefined && !allowed.includes(recipient)) return "E_RECIPIENT_NOT_ALLOWED";
  if (suppressed.includes(recipient)) return "E_RECIPIENT_SUPPRESSED";
  return sent >= (account.dailyLimit ?? Number.POSITIVE_INFINITY) ? "E_DAILY_LIMIT_EXCEEDED" : null;
}
