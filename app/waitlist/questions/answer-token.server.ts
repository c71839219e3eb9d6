import { sign } from "#app/server/hmac.server.ts";

/**
 * Tokens that set the answers of one entry, for an hour after the sign-up, and do nothing else. Encrypted with AES-GCM (NIST
 * SP 800-38D), which also authenticates them: a token that was only signed would show the entry's id, and so whether a
 * person is new, a former subscriber or caught by the honeypot.
 */
export const ANSWER_PERIOD = 3_600_000;

/** Stands for no entry, in the token of a sign-up that only pretends to have succeeded, or of a former subscriber. */
export const NO_ENTRY = 0;

/** Bytes: the initialisation vector, which is new for each token, then the encrypted id and time. */
const IV_SIZE = 12;

/** @param now milliseconds since 1970 */
export async function createAnswerToken(entryId: number, now: number, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_SIZE));
  const content = new Float64Array([entryId, now]);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await importKey(secret), content);
  const bytes = new Uint8Array(IV_SIZE + sealed.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(sealed), IV_SIZE);
  return bytes.toBase64({ alphabet: "base64url" });
}

/** Whether a value has the form of a token. */
export function isAnswerToken(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{59}=$/.test(value);
}

/**
 * The entry of a token; null if the token is invalid or has expired.
 *
 * @param secrets the current one, then those still accepted after a rotation
 */
export async function readAnswerToken(token: string, secrets: string[], now: number): Promise<number | null> {
  if (!isAnswerToken(token)) return null;
  for (const secret of secrets) {
    const content = await decrypt(token, secret);
    if (content === null) continue;
    const [entryId = NO_ENTRY, issuedAt = 0] = new Float64Array(content);
    return Math.abs(now - issuedAt) < ANSWER_PERIOD ? entryId : null;
  }
  return null;
}

/** Null if the token was not created with this secret. */
async function decrypt(token: string, secret: string): Promise<ArrayBuffer | null> {
  try {
    const bytes = Uint8Array.fromBase64(token, { alphabet: "base64url", lastChunkHandling: "strict" });
    const algorithm = { name: "AES-GCM", iv: bytes.subarray(0, IV_SIZE) };
    return await crypto.subtle.decrypt(algorithm, await importKey(secret), bytes.subarray(IV_SIZE));
  } catch {
    return null;
  }
}

/** Derives the key, so that the secret's other uses and this one are independent. */
async function importKey(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret);
  if (known !== undefined) return known;
  const derived = await sign(secret, "answers:v1");
  const key = await crypto.subtle.importKey("raw", derived, "AES-GCM", false, ["encrypt", "decrypt"]);
  keys.set(secret, key);
  return key;
}

/** The keys of this isolate's one or two secrets, because every sign-up needs one. */
const keys = new Map<string, CryptoKey>();
