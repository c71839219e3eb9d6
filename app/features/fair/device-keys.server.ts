import { CURVE, toBase64Url } from "#app/features/fair/seal.ts";

export interface DeviceKeys {
  /** P-256, uncompressed (65 bytes), base64url: the tablet seals with it. */
  publicKey: string;
  /** PKCS #8, base64url. It never leaves the server. */
  privateKey: string;
}

export async function makeDeviceKeys(): Promise<DeviceKeys> {
  const pair = (await crypto.subtle.generateKey(CURVE, true, ["deriveBits"])) as CryptoKeyPair;
  const [point, pkcs8] = await Promise.all([
    crypto.subtle.exportKey("raw", pair.publicKey) as Promise<ArrayBuffer>,
    crypto.subtle.exportKey("pkcs8", pair.privateKey) as Promise<ArrayBuffer>,
  ]);
  return { publicKey: toBase64Url(new Uint8Array(point)), privateKey: toBase64Url(new Uint8Array(pkcs8)) };
}
