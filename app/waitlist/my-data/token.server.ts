/**
 * Tokens in email links, each of which gives access to one entry.
 *
 * A token is the entry's id and an HMAC-SHA-256 (RFC 2104) of it, both URL-safe: `1c.Zm9v…`. It contains no address and
 * does not expire, since an email may be opened years later. Ids are never reused, so an old token cannot match another
 * person's entry.
 */

const PURPOSE = "your-data:v1:";

export async function signToken(entryId: number, secret: string): Promise<string> {
  const id = entryId.toString(36);
  const signature = await crypto.subtle.sign("HMAC", await importKey(secret, "sign"), message(id));
  return `${id}.${encode(new Uint8Array(signature))}`;
}

/**
 * Returns the entry's id, or null for an invalid token.
 *
 * @param secrets the current one, then those still accepted after a rotation
 */
export async function verifyToken(token: string, secrets: string[]): Promise<number | null> {
  const [, id, encoded] = /^([0-9a-z]{1,11})\.([\w-]{43})$/.exec(token) ?? [];
  if (id === undefined || encoded === undefined) return null;
  const signature = decode(encoded);
  if (signature === null) return null;
  for (const secret of secrets) {
    // verify() compares in constant time.
    if (await crypto.subtle.verify("HMAC", await importKey(secret, "verify"), signature, message(id))) {
      return Number.parseInt(id, 36);
    }
  }
  return null;
}

function message(id: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(PURPOSE + id);
}

function encode(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Null for non-canonical base64url, so that every token has exactly one form. */
function decode(encoded: string): Uint8Array<ArrayBuffer> | null {
  const bytes = Uint8Array.fromBase64(encoded, { alphabet: "base64url" });
  return encode(bytes) === encoded ? bytes : null;
}

function importKey(secret: string, usage: "sign" | "verify"): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, [usage]);
}
