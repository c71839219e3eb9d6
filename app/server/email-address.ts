/** RFC 5321, section 4.5.3.1: a path holds 254 characters between its angle brackets, a local part 64. */
const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;

/** Characters of an address as it arrives, with what surrounds it. Longer text is refused before any pattern reads it. */
const MAX_RECEIVED = 1_000;

/** What comes along when an address is pasted: white space, and what nobody sees, such as zero-width spaces and bidi marks. */
const unseen = "[\\p{White_Space}\\p{Default_Ignorable_Code_Point}]";
const ends = new RegExp(`^${unseen}+|${unseen}+$`, "gu");

/** ‘ ’ ‛ ʼ ´ (twice: Unicode has another one, which NFC turns into it) ′ and ＇ */
const apostrophes = /[\u2018\u2019\u201b\u02bc\u00b4\u1ffd\u2032\uff07]/g;

/**
 * An address from outside, or a part of one, as it was meant: without white space and invisible characters at its ends. A
 * typographic apostrophe in the mailbox part becomes `'` if all the rest of that part is ASCII: word processors and phones
 * replace the `'` of `o'brien`, and no provider would send to the result. Beside other letters beyond ASCII it stays, because an
 * international mailbox may really have it.
 *
 * @returns null if the value is not text, or far too long
 */
export function cleanAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_RECEIVED) return null;
  const [mailbox = "", ...rest] = value.replace(ends, "").split("@");
  const plain = mailbox.replace(apostrophes, "'");
  return [/^[!-~]*$/.test(plain) ? plain : mailbox, ...rest].join("@");
}

/**
 * Whether a string is an acceptable address, in any letter case. See {@link normaliseEmail} for the rules; this one
 * also refuses what {@link cleanAddress} changes.
 */
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
  if (unsafe.test(lowerCased) || unsafe.test(address)) return null;
  const at = address.indexOf("@");
  // Not isWellFormed(), which Firefox 115 and Chrome 109 lack.
  if (address.length > MAX_ADDRESS || at > MAX_LOCAL_PART || /\p{Surrogate}/u.test(address)) return null;
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(address)) return null;
  const domain = asciiDomain(address.slice(at + 1));
  if (domain === null) return null;
  const email = `${address.slice(0, at)}@${domain}`;
  return email.length <= MAX_ADDRESS ? email : null;
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
  return /[^!-~].*@/.test(email);
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

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd<>()[\]\\,;:"]|=\?/u;

/**
 * A domain in ASCII, as `URL` converts it (UTS #46), without a final dot.
 *
 * @returns null for an IP address and for names that DNS cannot hold
 */
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

/** As {@link ends} has them, in few bytes: white space is `\s` and U+0085. */
const blank = "[\\s\\x85\\p{DI}]*";

/**
 * The field's `pattern`, in syntax that the flags `u` and `v` share. Accepts every address that {@link normaliseEmail} accepts,
 * and a few that only the server refuses: too long, encoded words, and some domains. It is short, because
 * each byte counts on a page with two forms. The field has no `type="email"`, because browsers refuse letters such as ø
 * before the @ there.
 */
export const emailPattern = `${blank}(?!.*\\.\\d+\\.?\\s*$)[^\\s"\\(\\),:-<>@\\[-\\]]+@(${label}(\\.${label})+|(?=.*[^ -~])\\S+\\.\\S+)\\.?${blank}`;
