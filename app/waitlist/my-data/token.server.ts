/**
 * Tokens that let whoever holds a mail see and change the entry that the mail went to, and nobody else's.
 *
 * A token is the entry's id and an HMAC-SHA-256 (RFC 2104) over it, both in URL-safe characters: `1c.Zm9v…`. It holds
 * no address, does not expire (a mail may be opened years later) and cannot be made without the secret. Ids are never
 * given out twice, so an old token never comes to mean somebody else.
 */

const PURPOSE = "your-data:v1:";

/** Makes the token of an entry. */
export async function signToken(entryId: number, secret: string): Promise<string> {
  const id = entryId.toString(36);
  const signature = await crypto.subtle.sign("HMAC", await importKey(secret, "sign"), message(id));
  return `${id}.${encode(new Uint8Array(signature))}`;
}

/**
 * The entry that a token was made for, or null when it was made with none of the secrets, cut or altered.
 *
 * @param secrets the current one, then those that are still honoured after a rotation
 */
export async function verifyToken(token: string, secrets: string[]): Promise<number | null> {
  const [, id, encoded] = /^([0-9a-z]{1,11})\.([\w-]{43})$/.exec(token) ?? [];
  if (id === undefined || encoded === undefined) return null;
  const signature = decode(encoded);
  if (signature === null) return null;
  for (const secret of secrets) {
    // Compares in constant time.
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

/** Null for what is not the one way to write its bytes, so that every token has one form. */
function decode(encoded: string): Uint8Array<ArrayBuffer> | null {
  const bytes = Uint8Array.fromBase64(encoded, { alphabet: "base64url" });
  return encode(bytes) === encoded ? bytes : null;
}

function importKey(secret: string, usage: "sign" | "verify"): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, [usage]);
}
