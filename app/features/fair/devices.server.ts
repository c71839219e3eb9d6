import { and, count, desc, eq, gt, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Armed, ArmRequest, DeviceState } from "#app/features/fair/protocol.ts";
import { makeDeviceKeys } from "#app/features/fair/seal.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { insertWhere } from "#app/server/db/insert-where.server.ts";
import { fairDevices, fairInbox, fairSignUps } from "#app/server/db/schema/fair.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { randomToken, sha256 } from "#app/server/hashes/random-token.server.ts";
import { deleteWaiting, isWaiting } from "#app/server/queue.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";
import { toSource } from "#app/waitlist/entries/sources.ts";

export type DeviceRow = typeof fairDevices.$inferSelect;

/** Devices that are not closed. */
export const MAX_DEVICES = 20;

const MAX_CLOSED = 20;

/** How long a code works. */
export const CODE_PERIOD: Millis = 3_600_000;

/** How long after its end a device is kept that still has sign-ups, or may have. */
const KEPT_AFTER_END: Millis = 30 * 24 * 3_600_000;

const DAY: Millis = 24 * 3_600_000;

/** The source of an event whose name has no letter from a to z and no digit. */
const UNNAMED_SOURCE = "fair";

const { id, closed_at, code_hash, created_at, expires_at, key_hash, public_key, revoked_at } = fairDevices;

/** @returns the code, which nothing else holds; null if there are {@link MAX_DEVICES} already */
export async function makeDevice(
  db: Db,
  { event, days }: { event: string; days: number },
  now: EpochMillis,
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

/**
 * Exchanges the code of an owner's QR code for the key that a tablet made. Atomic: of several keys, the first gets it, as
 * often as it asks within {@link CODE_PERIOD}.
 *
 * @returns null if the code is unknown, too old or used with another key, or its device has ended
 */
export async function armDevice(db: Db, { code, key }: ArmRequest, now: EpochMillis): Promise<Armed | null> {
  const keyHash = await sha256(key);
  const isOpen = and(gt(created_at, now - CODE_PERIOD), gt(expires_at, now), isNull(revoked_at), isNull(closed_at));
  const hasCode = and(eq(code_hash, await sha256(code)), isOpen);
  const armed = db
    .update(fairDevices)
    .set({ key_hash: keyHash, armed_at: now, last_seen_at: now })
    .where(and(hasCode, isNull(key_hash)));
  const found = db
    .select({ device: id, event: fairDevices.event, expiresAt: expires_at, publicKey: public_key })
    .from(fairDevices)
    .where(and(hasCode, eq(key_hash, keyHash)));
  const [, [device]] = await db.batch([armed, found]);
  return device === undefined ? null : { ...device, now };
}

/** @param keyHash as `sha256` returns it */
export async function findDevice(db: Db, keyHash: string): Promise<DeviceRow | null> {
  const [found] = await db.select().from(fairDevices).where(eq(key_hash, keyHash));
  return found ?? null;
}

export async function readDevice(db: Db, device: number): Promise<DeviceRow | null> {
  const [found] = await db.select().from(fairDevices).where(eq(id, device));
  return found ?? null;
}

/** Newest first: those that are not closed, then those closed last. */
export async function listDevices(db: Db): Promise<DeviceRow[]> {
  const [kept, closed] = await db.batch([
    db.select().from(fairDevices).where(isNull(closed_at)).orderBy(desc(id)).limit(MAX_DEVICES),
    db.select().from(fairDevices).where(isNotNull(closed_at)).orderBy(desc(closed_at), desc(id)).limit(MAX_CLOSED),
  ]);
  return [...kept, ...closed];
}

export function eventNamesOf(db: Db, devices: number[]): Promise<Pick<DeviceRow, "id" | "event">[]> {
  return db.select({ id, event: fairDevices.event }).from(fairDevices).where(inArray(id, devices));
}

export function stateOf(
  device: Pick<DeviceRow, "expires_at" | "revoked_at" | "closed_at">,
  now: EpochMillis,
): DeviceState {
  if (device.closed_at !== null) return "closed";
  if (device.revoked_at !== null) return "revoked";
  return device.expires_at <= now ? "expired" : "open";
}

/** Whether a device is one that an owner can close, but for sign-ups that are about to be added. */
export function isOver({ expires_at, revoked_at, key_hash }: DeviceRow, now: EpochMillis): boolean {
  return expires_at <= now || revoked_at !== null || key_hash === null;
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

/** From now on the device adds no one: what was not added yet awaits review. @returns false if it had ended already */
export async function revokeDevice(db: Db, device: number, now: EpochMillis): Promise<boolean> {
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
 * destroyed, and with it what awaits review and what is still on the tablet: nobody can read that any more.
 */
export async function closeDevice(db: Db, device: number, now: EpochMillis): Promise<boolean> {
  const { device_id, state } = fairInbox;
  const isOver = sql`(${expires_at} <= ${now} OR ${revoked_at} IS NOT NULL OR ${key_hash} IS NULL)`;
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

/**
 * Destroys the private keys of devices that have ended and have nothing left: nothing of theirs is in the inbox, and the
 * tablet has said that its form is closed and nothing waits, or the end is {@link KEPT_AFTER_END} ago. Then nothing can
 * come a second time either, so the ids of their sign-ups are deleted.
 */
export async function closeDevices(db: Db, now: EpochMillis): Promise<void> {
  const { waiting, form_closed_at } = fairDevices;
  const end = sql`min(${expires_at}, coalesce(${revoked_at}, ${expires_at}))`;
  const hasSentAll = sql`(${waiting} = 0 AND ${form_closed_at} IS NOT NULL)`;
  const hasNothingLeft = sql`(${key_hash} IS NULL OR ${hasSentAll} OR ${end} <= ${now - KEPT_AFTER_END})`;
  const close = db
    .update(fairDevices)
    .set({ private_key: null, closed_at: now })
    .where(
      sql`${closed_at} IS NULL AND ${end} <= ${now} AND ${hasNothingLeft}
      AND NOT EXISTS (SELECT 1 FROM ${fairInbox} WHERE ${fairInbox.device_id} = ${id})`,
    );
  // Devices first, so that the table of ids is read only when a device was closed.
  const closed = sql`SELECT ${fairSignUps.id} FROM ${fairDevices} CROSS JOIN ${fairSignUps}
    ON ${fairSignUps.device_id} = ${id} WHERE ${closed_at} = ${now}`;
  const closedNow = sql`SELECT ${id} FROM ${fairDevices} WHERE ${closed_at} = ${now}`;
  await db.batch([
    close,
    db.delete(fairSignUps).where(sql`${fairSignUps.id} IN (${closed})`),
    db.delete(jobs).where(sql`${jobs.kind} = 'fair' AND ${jobs.subject} IN (${closedNow}) AND ${isWaiting(jobs)}`),
  ]);
}
