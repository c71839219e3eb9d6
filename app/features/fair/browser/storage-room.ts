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

/*
 * Space set aside, and freed when storage is full: the stall is warned before anyone is turned away. The estimate of free
 * space cannot be relied on: Chromium reports 10 GB whatever is left, and Safari 16 reports none.
 */

/** Room for about 2,000 sign-ups. */
const BYTES = 2_000_000;

/** `crypto.getRandomValues` makes at most this many at once. */
const CHUNK = 65_536;

const CACHE = "reserve";
const PATH = "/fair/reserve";

/** Whether this page has set it aside. */
let isOwn = false;

/**
 * Sets the space aside, anew on each page: a Chromium that was killed may miscount what it had stored, and then deleting
 * that frees nothing. An older reserve stays if there is no room to replace it.
 *
 * @returns whether this page has a reserve
 */
async function keepReserve(): Promise<boolean> {
  const cache = await caches.open(CACHE);
  if (isOwn && (await cache.match(PATH)) !== undefined) return true;
  isOwn = await cache.put(PATH, new Response(randomBytes())).then(
    () => true,
    () => false,
  );
  return isOwn;
}

/** @returns whether there was a reserve. Chromium frees its space at once, because the cache itself stays */
export async function freeReserve(): Promise<boolean> {
  return (await caches.open(CACHE)).delete(PATH);
}

/** Bytes that no compression makes smaller. */
function randomBytes(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(BYTES);
  for (let start = 0; start < BYTES; start += CHUNK) crypto.getRandomValues(bytes.subarray(start, start + CHUNK));
  return bytes;
}
