import { correctedNow } from "#app/pages/fair/browser/clock.ts";
import { BY_DEVICE, read, SIGN_UPS, write } from "#app/pages/fair/browser/database.ts";
import type { ArmedDevice } from "#app/pages/fair/browser/devices.ts";
import { freeReserve } from "#app/pages/fair/browser/reserve.ts";
import type { SealedSignUp, SignUpContent } from "#app/waitlist/fair/protocol.ts";
import { seal } from "#app/waitlist/fair/seal.ts";

/* Sign-ups that wait on the tablet, which cannot read them. */

export interface StoredSignUp extends SealedSignUp {
  /** Counts up; the database sets it. */
  order: number;
  device: number;
}

/**
 * Seals a sign-up and stores it, with the reserve if storage is full.
 *
 * @param consent the version of the consent wording
 * @throws if it is not stored
 */
export async function storeSignUp({ armed }: ArmedDevice, consent: string, content: SignUpContent): Promise<void> {
  const at = await correctedNow();
  const id = crypto.randomUUID();
  const { device, publicKey } = armed;
  const sealed = await seal(publicKey, id, device, JSON.stringify(content));
  const signUp: Omit<StoredSignUp, "order"> = { id, device, at, consent, sealed };
  const store = () => write(SIGN_UPS, (signUps) => signUps.add(signUp));
  await store().catch(async (error) => {
    if (!(await freeReserve().catch(() => false))) throw error;
    await retry(store);
  });
}

/** The browser may take a moment to notice that space is free. @throws what the last attempt throws */
async function retry(work: () => Promise<void>): Promise<void> {
  for (let left = 10; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @returns the oldest, in the order in which they were stored */
export function oldestSignUps(device: number, limit: number): Promise<StoredSignUp[]> {
  return read<StoredSignUp[]>(SIGN_UPS, (store) => store.index(BY_DEVICE).getAll(device, limit));
}

export function countSignUps(device?: number): Promise<number> {
  return read(SIGN_UPS, (store) => (device === undefined ? store.count() : store.index(BY_DEVICE).count(device)));
}

export function deleteSignUps(signUps: readonly StoredSignUp[]): Promise<void> {
  return write(SIGN_UPS, (store) => {
    for (const { order } of signUps) store.delete(order);
  });
}

/** Deletes what nobody can read any more. */
export async function deleteAllSignUps(device: number): Promise<void> {
  await deleteSignUps(await read<StoredSignUp[]>(SIGN_UPS, (store) => store.index(BY_DEVICE).getAll(device)));
}
