import { rememberContact } from "#app/features/fair/browser/clock.ts";
import { forgetDevice, readDevices, saveDevice } from "#app/features/fair/browser/devices.ts";
import { post } from "#app/features/fair/browser/post.ts";
import { ARM_PATH, type Armed, type ArmRequest, FAIR_PATH } from "#app/features/fair/protocol.ts";
import { toBase64Url } from "#app/features/fair/seal.ts";

const KEY_BYTES = 32;

/** `waiting`: there is a code, but no network. `refused`: with what the server says. */
export type Arming = { kind: "none" } | { kind: "waiting" } | { kind: "refused"; detail: string };

/** Takes the code of the owner's QR code out of the URL, and out of the browser's history; empty without one. */
export function takeCode(): string {
  const code = location.hash.slice(1);
  if (code !== "") history.replaceState(null, "", FAIR_PATH);
  return code;
}

/** Makes and stores the key for a code. A code that was scanned before has its key already. */
export async function addCode(code: string): Promise<void> {
  if (code === "" || (await readDevices()).some((device) => device.code === code)) return;
  const key = toBase64Url(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
  await saveDevice({ key, code, armed: null, since: Date.now(), state: "open", hasEnded: false });
}

/** Exchanges each code that has not been exchanged yet. One refused is forgotten, and the device before it stays. */
export function arm(): Promise<Arming> {
  return navigator.locks.request("fair-arm", async () => {
    let arming: Arming = { kind: "none" };
    for (const device of await readDevices()) {
      if (device.armed !== null) continue;
      const { code, key } = device;
      const request: ArmRequest = { code, key };
      const outcome = await post<Armed>(ARM_PATH, request);
      if (outcome.kind === "data") {
        const { device: number, event, expiresAt, publicKey, now } = outcome.data;
        await rememberContact(outcome.startedAt, now, false);
        await saveDevice({ ...device, armed: { device: number, event, expiresAt, publicKey }, since: now });
      } else if (outcome.kind === "problem" && ["code-invalid", "malformed"].includes(outcome.problem.problem)) {
        await forgetDevice(device);
        arming = { kind: "refused", detail: outcome.problem.detail };
      } else if (arming.kind === "none") {
        arming = { kind: "waiting" };
      }
    }
    return arming;
  });
}
