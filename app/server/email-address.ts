/** RFC 5321, section 4.5.3.1: a path holds 254 characters between its angle brackets, a local part 64. */
const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;

/**
 * Whether a string is an acceptable address: the specification's pattern (text, at sign, text, dot, text, no white
 * space), a single at sign, RFC 5321's lengths, and no character with a special meaning in an email header: control
 * characters, unpaired surrogates, U+FFFD, and RFC 5322's list and comment characters. Otherwise `x<ada@example.com>`
 * would be a second entry that reaches Ada.
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
 * Normalises an address for storage and lookup: lower-cased, without the spaces that phone keyboards append.
 *
 * @returns null if the value is not an address
 */
export function normaliseEmail(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const email = value.replace(/^ +| +$/g, "").toLowerCase();
  return isEmailAddress(email) ? email : null;
}
