import { lastContact, rememberContact } from "#app/pages/fair/browser/clock.ts";
import {
  type ArmedDevice,
  currentDevice,
  forgetDevice,
  readArmedDevices,
  saveDevice,
} from "#app/pages/fair/browser/devices.ts";
import { post } from "#app/pages/fair/browser/post.ts";
import {
  countSignUps,
  deleteAllSignUps,
  deleteSignUps,
  oldestSignUps,
  type StoredSignUp,
} from "#app/pages/fair/browser/sign-ups.ts";
import {
  MAX_RECORDS,
  type SealedSignUp,
  SIGN_UPS_PATH,
  type SignUpsRequest,
  type SignUpsResponse,
} from "#app/waitlist/fair/protocol.ts";

/** How old the last contact may be before the server is asked for its state (milliseconds). */
const CONTACT_MAX_AGE = 60_000;

/**
 * Sends all that waits, oldest first. One sender runs at a time, in whichever page or service worker; the next one waits
 * for it and sends what is left.
 *
 * @returns whether the server was reached, if there was a reason to, and nothing waits that it would take
 */
export function sendAll(): Promise<boolean> {
  return navigator.locks.request("fair-send", async () => {
    const devices = await readArmedDevices();
    const current = currentDevice(devices);
    let isDone = true;
    for (const device of devices) isDone = (await sendOf(device, device.key === current?.key)) && isDone;
    return isDone;
  });
}

async function sendOf(device: ArmedDevice, isCurrent: boolean): Promise<boolean> {
  const { device: number } = device.armed;
  for (let isFirst = true; ; isFirst = false) {
    const signUps = await oldestSignUps(number, MAX_RECORDS);
    if (signUps.length === 0) {
      // An earlier device with nothing left is needed no more.
      if (!isCurrent) await forgetDevice(device);
      if (!isCurrent || !isFirst || !(await isContactDue())) return true;
    }
    const waiting = await countSignUps(number);
    const request: SignUpsRequest = { waiting, signUps: signUps.map(forServer) };
    const reply = await post<SignUpsResponse>(SIGN_UPS_PATH, request, device.key);
    if (reply.kind === "problem" && reply.problem.problem === "key-invalid") {
      await saveDevice({ ...device, state: "unknown" });
      // Trying again soon is of no use.
      return true;
    }
    if (reply.kind !== "data") return false;
    const { now, state, stored } = reply.data;
    const kept = signUps.filter(({ id }) => stored.includes(id));
    await deleteSignUps(kept);
    if (state === "closed") await deleteAllSignUps(number);
    await rememberContact(reply.startedAt, now, kept.length > 0);
    if (state !== device.state) await saveDevice({ ...device, state });
    if (kept.length === 0) return signUps.length === 0 || state === "closed";
  }
}

async function isContactDue(): Promise<boolean> {
  const { at, offset } = await lastContact();
  return Math.abs(Date.now() + offset - at) >= CONTACT_MAX_AGE;
}

function forServer({ id, at, consent, sealed }: StoredSignUp): SealedSignUp {
  return { id, at, consent, sealed };
}
