import { sign } from "#app/server/hashes/hmac.server.ts";

/**
 * Keyed hashes of addresses: HMAC-SHA-256 (RFC 2104) under `HASH_KEY`, so that no one without the key can test whether
 * an address is among them. They survive the erasure of the entry that they came from.
 */
type HashPurpose = "address:v1" | "mailbox:v1" | "domain:v1";

/**
 * @param value as `normaliseEmail` or `mailboxOf` returns it; its hashes for different purposes never match
 * @returns 43 characters of base64url
 */
export async function keyedHash(purpose: HashPurpose, value: string, hashKey: string): Promise<string> {
  const hash = await sign(hashKey, `${purpose}:${value}`);
  // The owner's commands run on Node 24, which has no Uint8Array.prototype.toBase64.
  return btoa(String.fromCharCode(...hash))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .slice(0, 43);
}
