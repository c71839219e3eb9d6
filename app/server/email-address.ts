/** RFC 5321, section 4.5.3.1.3: a path holds 254 characters between its angle brackets. */
export const MAX_ADDRESS = 254;

/** Characters of an address as it arrives, with what surrounds it. Longer text is refused before any pattern reads it. */
const MAX_RECEIVED = 1_000;

/**
 * What comes along when an address is pasted: all white space, which is `\s` and U+0085, and all default-ignorable characters,
 * such as zero-width spaces and marks of direction.
 */
const ends = /^[\s\x85\p{DI}]+|[\s\x85\p{DI}]+$/gu;

/** What word processors, phones and some keyboards make of an apostrophe. NFC turns U+1FFD into ´. */
const apostrophes = /[‘’‛ʼ´\u1ffd′＇]/g;

/**
 * An address from outside, or a part of one, as it was meant: without white space and invisible characters at its ends, and
 * with `'` for a typographic apostrophe, unless the mailbox part has other letters beyond ASCII. Email providers send to none
 * with such an apostrophe, but an international mailbox may really have one.
 *
 * @returns null if the value is not text, or far too long
 */
export function cleanAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_RECEIVED) return null;
  const text = value.replace(ends, "");
  const plain = text.replace(apostrophes, "'");
  return isInternational(plain) ? text : plain;
}

/** In any letter case, by the rules of {@link normaliseEmail}; also refuses what {@link cleanAddress} changes. */
export function isEmailAddress(value: string): boolean {
  return cleanAddress(value) === value && normaliseEmail(value) !== null;
}

/**
 * Trims, checks and normalises an address from outside for storage and lookup: as {@link cleanAddress} returns it, lower-cased, in
 * Unicode's composed form (NFC), and with its domain in IDNA's ASCII form without a final dot. Idempotent.
 *
 * Accepts the specification's pattern (text, at sign, text, dot, text, no white space) with a single at sign, RFC 5321's
 * lengths and a domain that can exist. Rejects characters with a special meaning in an email header: control characters,
 * unpaired surrogates, U+FFFD, RFC 5322's list and comment characters, and the start of RFC 2047's encoded words.
 * Otherwise `x<ada@example.com>` would be a second entry that reaches Ada.
 *
 * @returns null if the value is not an acceptable address
 */
export function normaliseEmail(value: unknown): string | null {
  const lowerCased = cleanAddress(value)?.toLowerCase();
  if (lowerCased === undefined) return null;
  // NFC composes `<` and a combining stroke into ≮, and turns a Greek question mark into a semicolon.
  const address = lowerCased.normalize("NFC");
  if (address.length > MAX_ADDRESS || unsafe.test(lowerCased) || unsafe.test(address)) return null;
  // RFC 5321, section 4.5.3.1.1: a local part holds 64 characters.
  const [, mailbox, domain = ""] = /^([^\s@]{1,64})@([^\s@]+\.[^\s@]+)$/.exec(address) ?? [];
  const ascii = asciiDomain(domain);
  const email = `${mailbox}@${ascii}`;
  return ascii === null || email.length > MAX_ADDRESS ? null : email;
}

/**
 * Whether the part before the @ has characters beyond ASCII. Such an address may exist (RFC 6531, SMTPUTF8), but the email
 * providers of this site do not send to it:
 *
 * - Cloudflare's Email Service supports internationalised domains, but no such local part. Its documentation says so of Email
 *   Routing, under the limitations of the whole service, and nothing else of Email Sending:
 *   https://developers.cloudflare.com/email-service/reference/postmaster/#email-address-internationalization-eai
 * - Resend documents nothing about it. It sends through Amazon SES, which does not support SMTPUTF8:
 *   https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Destination.html
 *
 * @param email as {@link normaliseEmail} returns it, which has turned the domain into ASCII
 */
export function isInternational(email: string): boolean {
  return /^[^@]*[^!-~]/.test(email);
}

/**
 * Whether an address is at a domain that exists only for examples, tests and local networks: RFC 2606 and RFC 6761, `.local`
 * (RFC 6762), `.onion` (RFC 7686), `.alt` (RFC 9476) and ICANN's `.internal`. No email can be delivered to it.
 *
 * @param address an address as {@link normaliseEmail} returns it, or a domain
 */
export function isReserved(address: string): boolean {
  return /(^|[@.])(example(\.(com|net|org))?|test|invalid|localhost|local|onion|alt|internal)$/.test(address);
}

const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\ufffd<>()[\]\\,;:"]|=\?/u;

/** As `URL` converts it (UTS #46), without a final dot; null for an IP address and for names that DNS cannot hold. */
function asciiDomain(domain: string): string | null {
  // In a URL these end the host, or encode another character.
  if (/[/?#%]/.test(domain)) return null;
  try {
    // Not URL.parse, which Safari 17 lacks.
    const ascii = new URL(`http://${domain}`).hostname.replace(/\.$/, "");
    return dnsName.test(ascii) ? ascii : null;
  } catch {
    return null;
  }
}

/**
 * RFC 1035, section 2.3.4, and RFC 5890, section 2.3.1: labels of 1 to 63 letters, digits and inner hyphens. The last one
 * is not a number (RFC 3696, section 2), as it is in an IPv4 address.
 */
const dnsName = /^(?!.*\.\d+$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

const label = "\\w+(-+\\w+)*";

/** As {@link ends} has them. */
const blank = "[\\s\\x85\\p{DI}]*";

/**
 * The field's `pattern`, in syntax that the flags `u` and `v` share. Accepts every address that {@link normaliseEmail} accepts,
 * and a few that only the server refuses: too long, encoded words, and some domains. It is short, because
 * each byte counts on a page with two forms. The field has no `type="email"`, because browsers refuse letters such as ø
 * before the @ there.
 */
export const emailPattern = `(?!.*\\.\\d+\\.?\\s*$)${blank}[^\\s"\\(\\),:-<>@\\[-\\]]+@(${label}(\\.${label})+|(?=.*[^ -~])\\S+\\.\\S+)\\.?${blank}`;
