import * as v from "valibot";
import type { SealedSignUp, SignUpContent } from "#app/features/fair/protocol.ts";
import { additionalData, CURVE, deriveKey, fromBase64Url, IV_BYTES, POINT_BYTES } from "#app/features/fair/seal.ts";

export interface Opener {
  device: number;
  privateKey: CryptoKey;
  /** The device's public key. */
  point: Uint8Array;
}

/** @returns null if the private key was destroyed, or cannot be read */
export async function createOpener(
  device: number,
  { public_key, private_key }: { public_key: string; private_key: string | null },
): Promise<Opener | null> {
  if (private_key === null) return null;
  try {
    const privateKey = await crypto.subtle.importKey("pkcs8", fromBase64Url(private_key), CURVE, false, ["deriveBits"]);
    return { device, privateKey, point: fromBase64Url(public_key) };
  } catch {
    return null;
  }
}

/** Opens what `seal` returned. @returns null if it was sealed for another device or with another id, or was changed */
export async function openSealed(
  { device, privateKey, point }: Opener,
  { id, sealed }: Pick<SealedSignUp, "id" | "sealed">,
): Promise<string | null> {
  try {
    const bytes = fromBase64Url(sealed);
    const sender = bytes.subarray(0, POINT_BYTES);
    const iv = bytes.subarray(POINT_BYTES, POINT_BYTES + IV_BYTES);
    const ephemeral = await crypto.subtle.importKey("raw", sender, CURVE, false, []);
    // workerd's types name it `$public`: `public` is a reserved word of theirs.
    const algorithm = { name: "ECDH", public: ephemeral } as unknown as SubtleCryptoDeriveKeyAlgorithm;
    const secret = await crypto.subtle.deriveBits(algorithm, privateKey, 256);
    const key = await deriveKey(secret, sender, point, "decrypt");
    const decryption = { name: "AES-GCM", iv, additionalData: additionalData(id, device) };
    const opened = await crypto.subtle.decrypt(decryption, key, bytes.subarray(POINT_BYTES + IV_BYTES));
    return new TextDecoder("utf-8", { fatal: true }).decode(opened);
  } catch {
    // Bytes that are no point, no ciphertext or no text all mean the same.
    return null;
  }
}

const contentSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ email: v.string(), answers: v.record(v.string(), v.string()) }),
);

/** The same as a sign-up; null if it is none. */
export async function openSignUp(
  opener: Opener | null,
  sealed: Pick<SealedSignUp, "id" | "sealed">,
): Promise<SignUpContent | null> {
  const parsed = v.safeParse(contentSchema, opener && (await openSealed(opener, sealed)));
  return parsed.success ? parsed.output : null;
}
