/** Hexadecimal digits: 128 bits of the digest. */
const DIGITS = 32;

export const PICTURES_PATH = "/blog/pictures";

/** The name of a picture on this origin: a hash of its source URL, so requests cannot choose what is fetched. */
export async function pictureName(sourceUrl: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sourceUrl));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return hex.join("").slice(0, DIGITS);
}
