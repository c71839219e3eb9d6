import { sql } from "drizzle-orm";
import type { Db } from "#app/server/db/client.server.ts";
import { fairDevices, fairInbox, fairSignUps } from "#app/server/db/schema/fair.server.ts";
import { jobs } from "#app/server/db/schema/jobs.server.ts";
import { isWaiting } from "#app/server/queue.server.ts";

/** How long after its end a device is kept that still has sign-ups, or may have (milliseconds). */
const KEPT_AFTER_END = 30 * 24 * 3_600_000;

/**
 * Destroys the private keys of devices that have ended and have nothing left: nothing of theirs is in the inbox, and the
 * tablet has said that its form is closed and nothing waits, or the end is {@link KEPT_AFTER_END} ago. Then nothing can
 * come a second time either, so the ids of their sign-ups are deleted.
 */
export async function closeDevices(db: Db, now: number): Promise<void> {
  const { id, expires_at, revoked_at, closed_at, key_hash, waiting, form_closed_at } = fairDevices;
  const end = sql`min(${expires_at}, coalesce(${revoked_at}, ${expires_at}))`;
  const hasSentAll = sql`(${waiting} = 0 AND ${form_closed_at} IS NOT NULL)`;
  const isOver = sql`(${key_hash} IS NULL OR ${hasSentAll} OR ${end} <= ${now - KEPT_AFTER_END})`;
  const close = db
    .update(fairDevices)
    .set({ private_key: null, closed_at: now })
    .where(
      sql`${closed_at} IS NULL AND ${end} <= ${now} AND ${isOver}
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
