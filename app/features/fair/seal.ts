import type { SealedSignUp } from "#app/features/fair/protocol.ts";

/*
 * Sign-ups on the tablet are sealed, so that a lost tablet reveals no address: only the server has the device's private
 * key. An ephemeral P-256 key pair for each sign-up, ECDH with the device's public key, HKDF-SHA-256 (RFC 5869), and
 * AES-256-GCM with the sign-up's id and the device's number as additional data. The same shape as ECIES.
 */

export const CURVE = { name: "ECDH", namedCurve: "P-256" } as const;

/** Bytes of an uncompressed point of P-256. */
export const POINT_BYTES = 65;

export const IV_BYTES = 12;

/**
 * The keys of a new device. `publicKey`, with which the tablet seals: P-256, uncompressed (65 bytes), base64url. `privateKey`,
 * which never leaves the server: PKCS #8, base64url.
 */
export async function makeDeviceKeys(): Promise<{ publicKey: string; privateKey: string }> {
  const pair = (await crypto.subtle.generateKey(CURVE, true, ["deriveBits"])) as CryptoKeyPair;
  const [point, pkcs8] = await Promise.all([
    crypto.subtle.exportKey("raw", pair.publicKey) as Promise<ArrayBuffer>,
    crypto.subtle.exportKey("pkcs8", pair.privateKey) as Promise<ArrayBuffer>,
  ]);
  return { publicKey: toBase64Url(new Uint8Array(point)), privateKey: toBase64Url(new Uint8Array(pkcs8)) };
}

/**
 * @param publicKey as in `Armed`
 * @returns the ephemeral public key, the initialisation vector and the ciphertext with its tag, as base64url
 */
export async function seal(publicKey: string, id: SealedSignUp["id"], device: number, text: string): Promise<string> {
  const point = fromBase64Url(publicKey);
  const recipient = await crypto.subtle.importKey("raw", point, CURVE, false, []);
  const ephemeral = await crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);
  const sender = new Uint8Array(await crypto.subtle.exportKey("raw", ephemeral.publicKey));
  const secret = await crypto.subtle.deriveBits({ name: "ECDH", public: recipient }, ephemeral.privateKey, 256);
  const key = await deriveKey(secret, sender, point, "encrypt");
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: additionalData(id, device) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(text)));
  return toBase64Url(concatenate(sender, iv, sealed));
}

/** The key of one sign-up. Both public keys are its salt, so that it belongs to this pair alone. */
export async function deriveKey(
  secret: ArrayBuffer,
  sender: Uint8Array,
  recipient: Uint8Array,
  usage: "encrypt" | "decrypt",
): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode("fair:v1");
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: concatenate(sender, recipient), info };
  return crypto.subtle.deriveKey(algorithm, material, { name: "AES-GCM", length: 256 }, false, [usage]);
}

export function additionalData(id: string, device: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${id} ${device}`);
}

/** @throws if the text is not base64url */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function concatenate(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}
