import {
  allOf,
  BY_DEVICE,
  DEVICES,
  read,
  SIGN_UPS,
  write,
  writeTogether,
} from "#app/features/fair/browser/database.ts";
import type { Armed, ToldState } from "#app/features/fair/protocol.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

/** What this tablet is to the server at one event. It may be several, one after the other. */
export interface StoredDevice {
  key: string;
  /** The code of the owner's QR code that the key was made for. */
  code: string;
  /** Null until the server has accepted the code. */
  armed: Pick<Armed, "device" | "event" | "expiresAt" | "publicKey"> | null;
  /** When the server accepted the code, by the server's clock; until then, when it was scanned, by the tablet's. */
  since: EpochMillis;
  /** What the server said last; `unknown` if it has no device with this key. */
  state: ToldState | "unknown";
  /** Whether the page has closed the form for this device. It then stores nothing more for it. */
  hasEnded: boolean;
  /** How many sign-ups the tablet still had when it heard that the owner had closed the device. */
  lost?: number;
}

export interface ArmedDevice extends StoredDevice {
  armed: NonNullable<StoredDevice["armed"]>;
}

export function readDevices(): Promise<StoredDevice[]> {
  return read<StoredDevice[]>(DEVICES, (store) => store.getAll());
}

export async function readArmedDevices(): Promise<ArmedDevice[]> {
  return (await readDevices()).filter(isArmed);
}

/** The device that the form adds people as: the one that was armed last. */
export function currentDevice(devices: readonly StoredDevice[]): ArmedDevice | undefined {
  // Not toSorted(), which Chrome 109 lacks.
  return devices.filter(isArmed).sort((a, b) => b.since - a.since)[0];
}

export function saveDevice(device: StoredDevice): Promise<void> {
  return write(DEVICES, (store) => store.put(device));
}

/** Changes a device that is still there; the page and the sender each change what is theirs. */
export function updateStoredDevice(
  { key }: StoredDevice,
  change: Partial<Pick<StoredDevice, "state" | "hasEnded" | "lost">>,
): Promise<void> {
  return write(DEVICES, (store) => {
    const reading: IDBRequest<StoredDevice | undefined> = store.get(key);
    reading.onsuccess = () => {
      if (reading.result !== undefined) store.put({ ...reading.result, ...change });
    };
  });
}

/** Whether the form is closed for a device, or the device was forgotten; read from the database again. */
export async function isEnded({ key }: StoredDevice): Promise<boolean> {
  const device = await read<StoredDevice | undefined>(DEVICES, (store) => store.get(key));
  return device?.hasEnded ?? true;
}

export function forgetDevice({ key }: StoredDevice): Promise<void> {
  return write(DEVICES, (store) => store.delete(key));
}

/** Forgets a device unless something waits for it: its key is needed to send that. */
export function forgetEmptyDevice({ key, armed }: ArmedDevice): Promise<void> {
  return writeTogether([DEVICES, SIGN_UPS], (transaction) => {
    const counting = transaction.objectStore(SIGN_UPS).index(BY_DEVICE).count(allOf(armed.device));
    counting.onsuccess = () => {
      if (counting.result === 0) transaction.objectStore(DEVICES).delete(key);
    };
  });
}

function isArmed(device: StoredDevice): device is ArmedDevice {
  return device.armed !== null;
}
