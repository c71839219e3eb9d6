/** Hexadecimal digits: 128 bits of the digest. */
const DIGITS = 32;

/** Identifies a picture without showing its URL, so requests cannot choose what is fetched. */
export async function pictureHash(sourceUrl: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sourceUrl));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return hex.join("").slice(0, DIGITS);
}
