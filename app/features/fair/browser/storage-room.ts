import { keepReserve } from "#app/features/fair/browser/reserve.ts";

/** What should be free by the browser's own estimate (bytes), where that means something. */
const ROOM = 10_000_000;

export interface StorageRoom {
  /** Whether the browser has promised to delete nothing by itself. */
  isPersistent: boolean;
  isNearlyFull: boolean;
}

/** Asks the browser to keep what is stored. Some ask the person at the tablet, so this is for when the stall opens it. */
export async function askToPersist(): Promise<void> {
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist();
  } catch {
    // `checkStorage` says what came of it.
  }
}

export async function checkStorage(): Promise<StorageRoom> {
  const isPersistent = await navigator.storage.persisted().catch(() => false);
  // Where there are no caches at all, nothing can be said.
  const hasReserve = await keepReserve().catch(() => true);
  // Safari 16 has no estimate.
  const { quota = Infinity, usage = 0 } = (await navigator.storage.estimate?.().catch(() => undefined)) ?? {};
  return { isPersistent, isNearlyFull: !hasReserve || quota - usage < ROOM };
}
