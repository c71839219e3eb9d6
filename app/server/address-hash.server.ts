/**
 * Keyed hashes of addresses: HMAC-SHA-256 (RFC 2104) under `HASH_KEY`, so that no one without the key can test whether
 * an address is among them. They survive the erasure of the entry that they came from.
 */
type HashPurpose = "address:v1" | "mailbox:v1";

/**
 * Hashes an address or a mailbox for one purpose. Hashes for different purposes never match.
 *
 * @param value as `normaliseEmail` or `mailboxOf` returns it
 * @returns 43 characters of base64url
 */
export async function keyedHash(purpose: HashPurpose, value: string, hashKey: string): Promise<string> {
  const key = await importKey(hashKey);
  const hash = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(`${purpose}:${value}`)));
  // The owner's commands run on Node 24, which has no Uint8Array.prototype.toBase64.
  return btoa(String.fromCharCode(...hash))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .slice(0, 43);
}

/** Keeps the key, because every sign-up needs it and it does not change during an isolate's lifetime. */
async function importKey(hashKey: string): Promise<CryptoKey> {
  if (imported?.hashKey === hashKey) return imported.key;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(hashKey), algorithm, false, ["sign"]);
  imported = { hashKey, key };
  return key;
}

let imported: { hashKey: string; key: CryptoKey } | null = null;

const encoder = new TextEncoder();
