import { correctedNow } from "#app/features/fair/browser/clock.ts";
import {
  allOf,
  BY_DEVICE,
  BY_REFUSAL,
  DEVICES,
  read,
  SIGN_UPS,
  write,
  writeTogether,
} from "#app/features/fair/browser/database.ts";
import { type ArmedDevice, currentDevice, type StoredDevice } from "#app/features/fair/browser/devices.ts";
import { freeReserve } from "#app/features/fair/browser/storage-room.ts";
import type { SealedSignUp, SignUpContent } from "#app/features/fair/protocol.ts";
import { seal } from "#app/features/fair/seal.ts";

/* Sign-ups that wait on the tablet, which cannot read them. */

export interface StoredSignUp extends SealedSignUp {
  /** Counts up; the database sets it. */
  order: number;
  device: number;
  /** 1: the server does not take it, though it takes others. */
  isRefused: 0 | 1;
}

/**
 * Seals a sign-up and stores it, with the reserve if storage is full.
 *
 * @param consent the version of the consent wording
 * @returns false if the device is no longer the one that people sign up with
 * @throws if it is not stored
 */
export async function storeSignUp(armed: ArmedDevice, consent: string, content: SignUpContent): Promise<boolean> {
  const at = await correctedNow();
  const id = crypto.randomUUID();
  const { device, publicKey } = armed.armed;
  const sealed = await seal(publicKey, id, device, JSON.stringify(content));
  const signUp: Omit<StoredSignUp, "order"> = { id, device, at, consent, sealed, isRefused: 0 };
  const store = () => addSignUp(armed, signUp);
  return store().catch(async (error) => {
    if (!(await freeReserve().catch(() => false))) throw error;
    return retry(store);
  });
}

/**
 * Stores a sign-up if its device is still the one that people sign up with. Its time is never before that of the one
 * before it, even if the tablet's clock jumps back.
 */
async function addSignUp({ key }: ArmedDevice, signUp: Omit<StoredSignUp, "order">): Promise<boolean> {
  let isStored = false;
  await writeTogether([DEVICES, SIGN_UPS], (transaction) => {
    const signUps = transaction.objectStore(SIGN_UPS);
    const reading: IDBRequest<StoredDevice[]> = transaction.objectStore(DEVICES).getAll();
    const searching = signUps.openCursor(null, "prev");
    searching.onsuccess = () => {
      const last: Pick<StoredSignUp, "at" | "isRefused"> | undefined = searching.result?.value;
      // Its time may be what the server refused.
      if (last?.isRefused === 1) return searching.result?.continue();
      const device = currentDevice(reading.result);
      isStored = device?.key === key && !device.hasEnded;
      if (isStored) signUps.add({ ...signUp, at: Math.max(signUp.at, (last?.at ?? -1) + 1) });
    };
  });
  return isStored;
}

/** The browser may take a moment to notice that space is free. @throws what the last attempt throws */
async function retry<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = 10; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @returns the oldest that may be sent, in the order in which they were stored */
export function oldestSignUps(device: number, limit: number): Promise<StoredSignUp[]> {
  return read<StoredSignUp[]>(SIGN_UPS, (store) => store.index(BY_DEVICE).getAll([device, 0], limit));
}

export function countSignUps(device?: number): Promise<number> {
  return read(SIGN_UPS, (store) =>
    device === undefined ? store.count() : store.index(BY_DEVICE).count(allOf(device)),
  );
}

export function countRefusedSignUps(): Promise<number> {
  return read(SIGN_UPS, (store) => store.index(BY_REFUSAL).count(1));
}

/** Keeps a sign-up that the server does not take, so that the others pass it. */
export function markRefused(signUp: StoredSignUp): Promise<void> {
  return write(SIGN_UPS, (store) => store.put({ ...signUp, isRefused: 1 }));
}

export function deleteSignUps(signUps: readonly StoredSignUp[]): Promise<void> {
  return write(SIGN_UPS, (store) => {
    for (const { order } of signUps) store.delete(order);
  });
}

/** Deletes the sign-ups of a closed device: its private key is destroyed, so they cannot be decrypted. */
export async function deleteAllSignUps(device: number): Promise<void> {
  await deleteSignUps(await read<StoredSignUp[]>(SIGN_UPS, (store) => store.index(BY_DEVICE).getAll(allOf(device))));
}
