/* The tablet's IndexedDB. The page and its service worker share it. */

export const DEVICES = "devices";
export const SIGN_UPS = "sign-ups";
/** By device, in the order in which they were stored. */
export const BY_DEVICE = "device";
/** The last contact with the server, under one key. */
export const CONTACT = "contact";

type Store = typeof DEVICES | typeof SIGN_UPS | typeof CONTACT;

/**
 * Runs one request in a transaction of its own.
 *
 * @returns its result, once the transaction is complete
 */
export async function read<Result>(
  store: Store,
  request: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const transaction = (await openDatabase()).transaction(store, "readonly");
  const done = completed(transaction);
  const reading = request(transaction.objectStore(store));
  await done;
  return reading.result;
}

/** Writes in one transaction, which is complete once it is on the disk. @throws if anything in it fails */
export async function write(store: Store, work: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await openDatabase()).transaction(store, "readwrite", { durability: "strict" });
  const done = completed(transaction);
  work(transaction.objectStore(store));
  await done;
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

let opened: Promise<IDBDatabase> | undefined;

/** A browser may close the database, for example when its owner deletes the site's data: then the next use opens it again. */
function openDatabase(): Promise<IDBDatabase> {
  const forget = () => {
    opened = undefined;
  };
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open("fair", 1);
    opening.onupgradeneeded = () => createStores(opening.result);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      database.onclose = forget;
      database.onversionchange = () => {
        database.close();
        forget();
      };
      resolve(database);
    };
  }).catch((error) => {
    forget();
    throw error;
  });
  return opened;
}

function createStores(database: IDBDatabase): void {
  database.createObjectStore(DEVICES, { keyPath: "key" });
  database.createObjectStore(SIGN_UPS, { keyPath: "order", autoIncrement: true }).createIndex(BY_DEVICE, "device");
  database.createObjectStore(CONTACT);
}
