/* The tablet's IndexedDB. The page and its service worker share it. */

export const DEVICES = "devices";
export const SIGN_UPS = "sign-ups";
/** By device and whether the server has refused it, in the order in which they were stored. */
export const BY_DEVICE = "device";
export const BY_REFUSAL = "refusal";
/** The last contact with the server, under one key. */
export const CONTACT = "contact";

type Store = typeof DEVICES | typeof SIGN_UPS | typeof CONTACT;

/** Runs one request in a transaction of its own. @returns its result, once the transaction is complete */
export function read<Result>(store: Store, request: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  return withDatabase(async (database) => {
    const transaction = database.transaction(store, "readonly");
    const done = completed(transaction);
    const reading = request(transaction.objectStore(store));
    await done;
    return reading.result;
  });
}

/** Writes in one transaction, which is complete once it is on the disk. @throws if anything in it fails */
export function write(store: Store, work: (store: IDBObjectStore) => void): Promise<void> {
  return writeTogether([store], (transaction) => work(transaction.objectStore(store)));
}

/** As `write`, in several stores. The work may run twice. */
export function writeTogether(stores: Store[], work: (transaction: IDBTransaction) => void): Promise<void> {
  return withDatabase(async (database) => {
    const transaction = database.transaction(stores, "readwrite", { durability: "strict" });
    const done = completed(transaction);
    work(transaction);
    await done;
  });
}

/** All sign-ups of a device in the index. */
export function allOf(device: number): IDBKeyRange {
  return IDBKeyRange.bound([device, 0], [device, 1]);
}

/** Safari on an iPad loses the connection in the background and does not say so: a new one may work. */
async function withDatabase<Result>(work: (database: IDBDatabase) => Promise<Result>): Promise<Result> {
  const connection = openDatabase();
  try {
    return await work(await connection);
  } catch (error) {
    if ((error as Error | null)?.name === "QuotaExceededError") throw error;
    if (opened === connection) opened = undefined;
    void connection.then((database) => database.close()).catch(() => {});
    return await work(await openDatabase());
  }
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
  const signUps = database.createObjectStore(SIGN_UPS, { keyPath: "order", autoIncrement: true });
  signUps.createIndex(BY_DEVICE, ["device", "isRefused"]);
  signUps.createIndex(BY_REFUSAL, "isRefused");
  database.createObjectStore(CONTACT);
}
