/* HMAC-SHA-256 (RFC 2104) of texts. */

export async function sign(secret: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = keys.get(secret) ?? (await importKey(secret));
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

/** Whether a signature is that of a text. Compares in constant time. */
export async function isSignedBy(secret: string, signature: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> {
  const key = keys.get(secret) ?? (await importKey(secret));
  return crypto.subtle.verify("HMAC", key, signature, encoder.encode(text));
}

async function importKey(secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign", "verify"]);
  keys.set(secret, key);
  return key;
}

/** The keys of this isolate's few secrets: every sign-up needs some, and importing one takes time. */
const keys = new Map<string, CryptoKey>();

const encoder = new TextEncoder();
