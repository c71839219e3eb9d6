import { and, eq, gt, isNull } from "drizzle-orm";
import type { Armed, ArmRequest, DeviceState } from "#app/features/fair/protocol.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { fairDevices } from "#app/server/db/schema/fair.server.ts";
import { sha256 } from "#app/server/hashes/random-token.server.ts";

export type Device = typeof fairDevices.$inferSelect;

/** How long a code works (milliseconds). */
export const CODE_PERIOD = 3_600_000;

/**
 * Exchanges the code of an owner's QR code for the key that a tablet made. Atomic: of several keys, the first gets it, as
 * often as it asks within {@link CODE_PERIOD}.
 *
 * @returns null if the code is unknown, too old or used with another key, or its device has ended
 */
export async function armDevice(db: Db, { code, key }: ArmRequest, now: number): Promise<Armed | null> {
  const { code_hash, key_hash, created_at, expires_at, revoked_at, closed_at } = fairDevices;
  const keyHash = await sha256(key);
  const isOpen = and(gt(created_at, now - CODE_PERIOD), gt(expires_at, now), isNull(revoked_at), isNull(closed_at));
  const hasCode = and(eq(code_hash, await sha256(code)), isOpen);
  const armed = db
    .update(fairDevices)
    .set({ key_hash: keyHash, armed_at: now, last_seen_at: now })
    .where(and(hasCode, isNull(key_hash)));
  const found = db
    .select({ id: fairDevices.id, event: fairDevices.event, expiresAt: expires_at, publicKey: fairDevices.public_key })
    .from(fairDevices)
    .where(and(hasCode, eq(key_hash, keyHash)));
  const [, [device]] = await db.batch([armed, found]);
  if (device === undefined) return null;
  const { id, event, expiresAt, publicKey } = device;
  return { device: id, event, expiresAt, publicKey, now };
}

/** @param keyHash as `sha256` returns it */
export async function findDevice(db: Db, keyHash: string): Promise<Device | null> {
  const [found] = await db.select().from(fairDevices).where(eq(fairDevices.key_hash, keyHash));
  return found ?? null;
}

export function stateOf(device: Pick<Device, "expires_at" | "revoked_at" | "closed_at">, now: number): DeviceState {
  if (device.closed_at !== null) return "closed";
  if (device.revoked_at !== null) return "revoked";
  return device.expires_at <= now ? "expired" : "open";
}
