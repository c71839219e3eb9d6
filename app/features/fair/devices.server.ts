import { and, count, desc, eq, gt, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Device } from "#app/features/fair/arm.server.ts";
import { makeDeviceKeys } from "#app/features/fair/device-keys.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import { fairDevices, fairInbox, fairSignUps } from "#app/server/db/schema/fair.server.ts";
import { randomToken, sha256 } from "#app/server/hashes/random-token.server.ts";
import { deleteWaiting } from "#app/server/queue.server.ts";
import { toSource } from "#app/waitlist/entries/sources.ts";

/** Devices that are not closed. */
export const MAX_DEVICES = 20;

const MAX_CLOSED = 20;

/** How long a device may be used (days). */
export const MAX_DAYS = 3;

const DAY = 24 * 3_600_000;

/** The source of an event whose name has no letter from a to z and no digit. */
const UNNAMED_SOURCE = "fair";

const { id, closed_at, revoked_at, expires_at } = fairDevices;

/** @returns the code, which nothing else holds; null if there are {@link MAX_DEVICES} already */
export async function makeDevice(
  db: Db,
  { event, days }: { event: string; days: number },
  now: number,
): Promise<{ id: number; code: string } | null> {
  const code = randomToken();
  const { publicKey, privateKey } = await makeDeviceKeys();
  const hasRoom = sql`(SELECT count(*) FROM fair_devices AS other WHERE other.closed_at IS NULL) < ${MAX_DEVICES}`;
  const [made] = await insertWhere(db, fairDevices, hasRoom)
    .values({
      event,
      source: toSource(event) ?? UNNAMED_SOURCE,
      code_hash: await sha256(code),
      created_at: now,
      expires_at: now + days * DAY,
      public_key: publicKey,
      private_key: privateKey,
    })
    .returning({ id });
  return made === undefined ? null : { id: made.id, code };
}

/** Newest first: those that are not closed, then those closed last. */
export async function listDevices(db: Db): Promise<Device[]> {
  const [kept, closed] = await db.batch([
    db.select().from(fairDevices).where(isNull(closed_at)).orderBy(desc(id)).limit(MAX_DEVICES),
    db.select().from(fairDevices).where(isNotNull(closed_at)).orderBy(desc(closed_at), desc(id)).limit(MAX_CLOSED),
  ]);
  return [...kept, ...closed];
}

export async function readDevice(db: Db, device: number): Promise<Device | null> {
  const [found] = await db.select().from(fairDevices).where(eq(id, device));
  return found ?? null;
}

/** How many sign-ups of each device are in the inbox, by state and reason. Reads the inbox, which is empty most of the time. */
export function countInbox(db: Db) {
  const { device_id, state, reason } = fairInbox;
  return db
    .select({ device: device_id, state, reason, people: count() })
    .from(fairInbox)
    .groupBy(device_id, state, reason)
    .orderBy(reason);
}

/** From now on the device adds no one: what was not added yet is held. @returns false if it had ended already */
export async function revokeDevice(db: Db, device: number, now: number): Promise<boolean> {
  const isOpen = and(eq(id, device), isNull(revoked_at), isNull(closed_at), gt(expires_at, now));
  const { device_id, state } = fairInbox;
  const [{ meta }] = await db.batch([
    db.update(fairDevices).set({ revoked_at: now }).where(isOpen),
    db
      .update(fairInbox)
      .set({ state: "held", reason: "revoked", changed_at: now })
      .where(and(sql`changes() > 0`, eq(device_id, device), ne(state, "held"))),
  ]);
  return meta.changes > 0;
}

/**
 * Closes a device that has ended or that no tablet has used, unless sign-ups of it are about to be added. Its private key is
 * destroyed, and with it what is held and what is still on the tablet: nobody can read that any more.
 */
export async function closeDevice(db: Db, device: number, now: number): Promise<boolean> {
  const { device_id, state } = fairInbox;
  const isOver = sql`(${expires_at} <= ${now} OR ${revoked_at} IS NOT NULL OR ${fairDevices.key_hash} IS NULL)`;
  const hasDue = sql`EXISTS (SELECT 1 FROM ${fairInbox} WHERE ${device_id} = ${device} AND ${state} <> 'held')`;
  const isClosed = sql`EXISTS (SELECT 1 FROM ${fairDevices} WHERE ${id} = ${device} AND ${closed_at} IS NOT NULL)`;
  const [{ meta }] = await db.batch([
    db
      .update(fairDevices)
      .set({ private_key: null, closed_at: now })
      .where(and(eq(id, device), isNull(closed_at), isOver, sql`NOT ${hasDue}`)),
    db.delete(fairInbox).where(and(eq(device_id, device), isClosed)),
    db.delete(fairSignUps).where(and(eq(fairSignUps.device_id, device), isClosed)),
    deleteWaiting(db, "fair", device, isClosed),
  ]);
  return meta.changes > 0;
}

/** Whether a device is one that an owner can close, but for sign-ups that are about to be added. */
export function isOver({ expires_at, revoked_at, key_hash }: Device, now: number): boolean {
  return expires_at <= now || revoked_at !== null || key_hash === null;
}

export function namesOf(db: Db, devices: number[]): Promise<Pick<Device, "id" | "event">[]> {
  return db.select({ id, event: fairDevices.event }).from(fairDevices).where(inArray(id, devices));
}
