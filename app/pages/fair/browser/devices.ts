import { DEVICES, read, write } from "#app/pages/fair/browser/database.ts";
import type { Armed, DeviceState } from "#app/waitlist/fair/protocol.ts";

/** What this tablet is to the server at one event. It may be several, one after the other. */
export interface Device {
  /** Its key, which it made itself. */
  key: string;
  /** The code of the owner's QR code that the key was made for. */
  code: string;
  /** Null until the server has accepted the code. */
  armed: Pick<Armed, "device" | "event" | "expiresAt" | "publicKey"> | null;
  /** When that was, by the tablet's clock; before, when the code was scanned. */
  since: number;
  /** What the server said last; `unknown` if it has no device with this key. */
  state: DeviceState | "unknown";
}

export interface ArmedDevice extends Device {
  armed: NonNullable<Device["armed"]>;
}

export function readDevices(): Promise<Device[]> {
  return read<Device[]>(DEVICES, (store) => store.getAll());
}

export async function readArmedDevices(): Promise<ArmedDevice[]> {
  return (await readDevices()).filter(isArmed);
}

/** The device that the form adds people as: the one that was armed last. */
export function currentDevice(devices: readonly Device[]): ArmedDevice | undefined {
  // Not toSorted(), which Chrome 109 lacks.
  return devices.filter(isArmed).sort((a, b) => b.since - a.since)[0];
}

export function saveDevice(device: Device): Promise<void> {
  return write(DEVICES, (store) => store.put(device));
}

export function forgetDevice({ key }: Device): Promise<void> {
  return write(DEVICES, (store) => store.delete(key));
}

function isArmed(device: Device): device is ArmedDevice {
  return device.armed !== null;
}
