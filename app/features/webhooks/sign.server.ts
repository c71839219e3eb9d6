import { sign } from "#app/server/hashes/hmac.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/** For how long the secret before the current one signs too. */
export const ROTATION: Millis = 24 * 3_600_000;

/** What an endpoint's secrets follow from. None is stored. */
export interface SecretSource {
  id: number;
  secret_number: number;
  rotated_at: EpochMillis | null;
}

/** The current secret, as receivers paste it: `whsec_` and 32 bytes in base64. */
export async function secretText({ id, secret_number }: SecretSource, hashKey: string): Promise<string> {
  return `whsec_${(await secretBytes(id, secret_number, hashKey)).toBase64()}`;
}

/**
 * The headers that sign a message: HMAC-SHA-256 as in Standard Webhooks, by two secrets for a day after one was replaced.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param message its id is the same for every attempt, and `now` is the attempt's
 */
export async function signatureHeaders(
  endpoint: SecretSource,
  hashKey: string,
  { id, body, now }: { id: string; body: string; now: EpochMillis },
) {
  const { id: endpointId, secret_number: current, rotated_at } = endpoint;
  const isRotating = current > 1 && rotated_at !== null && now < rotated_at + ROTATION;
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = (isRotating ? [current, current - 1] : [current]).map(async (number) => {
    const signature = await signBytes(await secretBytes(endpointId, number, hashKey), `${id}.${timestamp}.${body}`);
    return `v1,${signature.toBase64()}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": (await Promise.all(signatures)).join(" "),
  };
}

function secretBytes(endpointId: number, number: number, hashKey: string) {
  return sign(hashKey, `webhook-secret:v1:${endpointId}.${number}`);
}

async function signBytes(secret: BufferSource, text: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
}
