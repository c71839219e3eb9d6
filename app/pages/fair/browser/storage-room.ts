/** What should be free (bytes): room for several thousand sign-ups, and for a new version of this page. */
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
  // Safari 16 has no estimate.
  const { quota, usage } = (await navigator.storage.estimate?.().catch(() => undefined)) ?? {};
  return { isPersistent, isNearlyFull: quota !== undefined && usage !== undefined && quota - usage < ROOM };
}
