import { isSignedBy, sign } from "#app/server/hashes/hmac.server.ts";

/**
 * Tokens in email links, in forms and in owners' cookies. A token is an id and an HMAC-SHA-256 (RFC 2104) of it for one
 * purpose, both URL-safe: `1c.Zm9v…`. It contains no address, and a token for one purpose is never valid for another.
 */
export type TokenPurpose =
  | "your-data:v1"
  | "unsubscribe:v1"
  | "confirm:v1"
  | "answers:v2"
  | "owner-sign-in:v1"
  | "owner-session:v3"
  | "owner-browser:v1";

export async function signToken(purpose: TokenPurpose, id: string, secret: string): Promise<string> {
  return `${id}.${encode(await sign(secret, `${purpose}:${id}`))}`;
}

/** The token's id; null if it is invalid. @param secrets the current one, then those still accepted after a rotation */
export async function verifyToken(purpose: TokenPurpose, token: string, secrets: string[]): Promise<string | null> {
  const [, id, encoded] = /^([0-9a-z-]{1,80})\.([\w-]{43})$/.exec(token) ?? [];
  if (id === undefined || encoded === undefined) return null;
  const signature = decode(encoded);
  if (signature === null) return null;
  for (const secret of secrets) {
    if (await isSignedBy(secret, signature, `${purpose}:${id}`)) return id;
  }
  return null;
}

function encode(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Null for non-canonical base64url, so that every token has exactly one form. */
function decode(encoded: string): Uint8Array<ArrayBuffer> | null {
  const bytes = Uint8Array.fromBase64(encoded, { alphabet: "base64url" });
  return encode(bytes) === encoded ? bytes : null;
}
