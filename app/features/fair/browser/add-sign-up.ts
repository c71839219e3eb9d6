import { DEVICES, SIGN_UPS, writeTogether } from "#app/features/fair/browser/database.ts";
import { type ArmedDevice, currentDevice, type Device } from "#app/features/fair/browser/devices.ts";
import type { SealedSignUp } from "#app/features/fair/protocol.ts";

export interface StoredSignUp extends SealedSignUp {
  /** Counts up; the database sets it. */
  order: number;
  device: number;
  /** 1: the server does not take it, though it takes others. */
  isRefused: 0 | 1;
}

/**
 * Stores a sign-up if its device is still the one that people sign up with. Its time is never before that of the one
 * before it, even if the tablet's clock jumps back.
 */
export async function addSignUp({ key }: ArmedDevice, signUp: Omit<StoredSignUp, "order">): Promise<boolean> {
  let isStored = false;
  await writeTogether([DEVICES, SIGN_UPS], (transaction) => {
    const signUps = transaction.objectStore(SIGN_UPS);
    const reading: IDBRequest<Device[]> = transaction.objectStore(DEVICES).getAll();
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
