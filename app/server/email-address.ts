/** RFC 5321, section 4.5.3.1: a path holds 254 characters between its angle brackets, a local part 64. */
const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;

/**
 * Whether a string is an address we accept: the specification's pattern (text, at sign, text, dot, text, none of it
 * white space), one at sign, RFC 5321's lengths, and nothing that means something else in a mail header: no control
 * characters, no unpaired surrogates nor what stands in for undecodable bytes, none of RFC 5322's list and comment characters. `x<ada@example.com>` would
 * otherwise be a second entry that reaches Ada.
 */
export function isEmailAddress(value: string): boolean {
  return (
    value.length <= MAX_ADDRESS &&
    value.indexOf("@") <= MAX_LOCAL_PART &&
    value.isWellFormed() &&
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(value) &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd<>()[\]\\,;:"]/u.test(value)
  );
}

/**
 * The form in which an address is looked up and stored: without the spaces that phone keyboards append, lower-cased.
 *
 * @returns null for whatever is not an address
 */
export function normaliseEmail(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const email = value.replace(/^ +| +$/g, "").toLowerCase();
  return isEmailAddress(email) ? email : null;
}
