/** Crockford's base 32: no I, L, O or U, so a reference can be read out over the telephone. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A random reference such as `7Q2F-M0XK`, shown to the visitor and written to the log. */
export function newErrorReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const characters = Array.from(bytes, (byte) => ALPHABET[byte % 32]);
  return `${characters.slice(0, 4).join("")}-${characters.slice(4).join("")}`;
}
