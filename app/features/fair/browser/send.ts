import { lastContact, rememberContact } from "#app/features/fair/browser/clock.ts";
import {
  type ArmedDevice,
  currentDevice,
  forgetEmptyDevice,
  isEnded,
  readArmedDevices,
  updateStoredDevice,
} from "#app/features/fair/browser/devices.ts";
import { post } from "#app/features/fair/browser/post.ts";
import {
  countSignUps,
  deleteAllSignUps,
  deleteSignUps,
  markRefused,
  oldestSignUps,
  type StoredSignUp,
} from "#app/features/fair/browser/sign-ups.ts";
import {
  MAX_RECORDS,
  type SealedSignUp,
  SIGN_UPS_PATH,
  type SignUpsRequest,
  type SignUpsResponse,
} from "#app/features/fair/protocol.ts";
import type { Millis } from "#app/server/time/units.ts";

/** How old the last contact may be before the server is asked for its state. */
const CONTACT_MAX_AGE: Millis = 60_000;

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
  let limit = MAX_RECORDS;
  for (let isFirst = true; ; isFirst = false) {
    // Before what waits is counted: once it is true, nothing is added.
    const hasEnded = !isCurrent || (await isEnded(device));
    const signUps = await oldestSignUps(number, limit);
    const waiting = await countSignUps(number);
    if (signUps.length === 0 && !(isFirst && (await isAskingDue(isCurrent, waiting)))) {
      // An earlier device with nothing left is needed no more.
      if (!isCurrent) await forgetEmptyDevice(device);
      return true;
    }
    const request: SignUpsRequest = { waiting, hasEnded, signUps: signUps.map(forServer) };
    const outcome = await post<SignUpsResponse>(SIGN_UPS_PATH, request, device.key);
    if (outcome.kind === "problem") {
      const { problem } = outcome.problem;
      if (problem === "malformed" && signUps.length > 1) {
        // One of them may be at fault: each is sent alone.
        limit = 1;
        continue;
      }
      const [only] = signUps;
      if (problem === "malformed" && only !== undefined && (await takesNone(device, request))) {
        await markRefused(only);
        limit = MAX_RECORDS;
        continue;
      }
      if (problem !== "key-invalid") return false;
      await updateStoredDevice(device, { state: "unknown" });
      // Trying again soon is of no use.
      if (!isCurrent) await forgetEmptyDevice(device);
      return true;
    }
    if (outcome.kind === "later") return false;
    const { now, state, stored } = outcome.data;
    const kept = signUps.filter(({ id }) => stored.includes(id));
    // First, so that a page that is closed in between does not forget that it has sent something.
    await rememberContact(outcome.startedAt, now, kept.length > 0);
    await deleteSignUps(kept);
    const lost = state === "closed" ? await countSignUps(number) : 0;
    await updateStoredDevice(device, { state, ...(lost > 0 ? { lost } : {}) });
    if (lost > 0) await deleteAllSignUps(number);
    if (kept.length === 0 && signUps.length > 0) return state === "closed";
  }
}

/** Whether the server is to be asked although there is nothing to send. An earlier device says once that it is empty. */
async function isAskingDue(isCurrent: boolean, waiting: number): Promise<boolean> {
  if (!isCurrent && waiting === 0) return true;
  const { at, offset } = await lastContact();
  return Math.abs(Date.now() + offset - at) >= CONTACT_MAX_AGE;
}

/** Whether the server takes a request without sign-ups: then it refused the sign-up, not all that this version sends. */
async function takesNone(device: ArmedDevice, request: SignUpsRequest): Promise<boolean> {
  const outcome = await post<SignUpsResponse>(SIGN_UPS_PATH, { ...request, signUps: [] }, device.key);
  return outcome.kind === "data";
}

function forServer({ id, at, consent, sealed }: StoredSignUp): SealedSignUp {
  return { id, at, consent, sealed };
}
