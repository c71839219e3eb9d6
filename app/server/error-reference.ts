/** Crockford's base 32: no I, L, O or U, so that a reference can be read out over the telephone. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A short random reference such as `7Q2F-M0XK` that is shown to a visitor and stands in the log line. */
export function newErrorReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const characters = Array.from(bytes, (byte) => ALPHABET[byte % 32]);
  return `${characters.slice(0, 4).join("")}-${characters.slice(4).join("")}`;
}
