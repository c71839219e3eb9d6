import { ARM_PATH, type Armed, SIGN_UPS_PATH, type SignUpsRequest } from "#app/features/fair/protocol.ts";
import { seal, toBase64Url } from "#app/features/fair/seal.ts";
import { newsOnly } from "#app/waitlist/sign-up/consent-wording.ts";

/** A tablet that has scanned a code, without its browser. @param link what the QR code leads to */
export async function armTablet(link: string) {
  const { origin, hash } = new URL(link);
  const key = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  const post = async <T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> => {
    const init = { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(origin + path, {
      ...init,
      headers: { "Content-Type": "application/json", ...headers },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  };
  const { device, publicKey } = await post<Armed>(ARM_PATH, { code: hash.slice(1), key });
  return {
    /** Sends people's addresses. @param left how many it says are still on it afterwards */
    async send(emails: string[], left = 0): Promise<void> {
      const signUps = await Promise.all(
        emails.map(async (email, index) => {
          const at = Date.now() - emails.length + index;
          const id = crypto.randomUUID();
          const sealed = await seal(publicKey, id, device, JSON.stringify({ email, answers: {} }));
          return { id, at, consent: newsOnly.version, sealed };
        }),
      );
      const request: SignUpsRequest = { waiting: signUps.length + left, hasEnded: false, signUps };
      await post(SIGN_UPS_PATH, request, { Authorization: `Bearer ${key}` });
    },
  };
}
