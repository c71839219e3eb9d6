/* HMAC-SHA-256 (RFC 2104) of texts. */

export async function sign(secret: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await keyOf(secret), encoder.encode(text)));
}

/** Whether a signature is that of a text. Compares in constant time. */
export async function isSignedBy(secret: string, signature: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> {
  return crypto.subtle.verify("HMAC", await keyOf(secret), signature, encoder.encode(text));
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const usages = ["sign", "verify"] as const;
  const key =
    keys.get(secret) ?? (await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [...usages]));
  keys.set(secret, key);
  return key;
}

/** The keys of this isolate's few secrets: every sign-up needs some, and importing one takes time. */
const keys = new Map<string, CryptoKey>();

const encoder = new TextEncoder();
