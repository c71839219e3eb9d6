/** Hexadecimal digits: 128 bits of the digest are more than three pictures need. */
const DIGITS = 32;

export const PICTURES_PATH = "/blog/pictures";

/** Names a picture on our own origin by its address elsewhere; the name alone cannot be turned into an address. */
export async function pictureName(address: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(address));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return hex.join("").slice(0, DIGITS);
}
