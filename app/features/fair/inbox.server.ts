import { eq, type SQL, sql } from "drizzle-orm";
import { type DeviceRow, stateOf } from "#app/features/fair/devices.server.ts";
import type { DeviceState, SealedSignUp, SignUpsRequest, SignUpsResponse } from "#app/features/fair/protocol.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { fairDevices, fairInbox, fairSignUps } from "#app/server/db/schema/fair.server.ts";
import { addJob } from "#app/server/queue.server.ts";
import type { EpochMillis, Millis } from "#app/server/time/units.ts";

/** Sign-ups that one device adds; further ones await review. */
export const MAX_SIGN_UPS = 2_000;

/** Sign-ups that are stored of one device. Whoever has its key cannot fill the database, even after it was revoked. */
const MAX_STORED = 2 * MAX_SIGN_UPS;

const CONTACT_INTERVAL: Millis = 60_000;

/**
 * Stores what a device sent, and what it says of itself, in one D1 batch that goes by the device's state of that moment.
 * Sign-ups that were stored or decided before are acknowledged and not stored again. A closed device's are not stored,
 * because nobody can read them, nor those beyond {@link MAX_STORED}.
 */
export async function receive(
  db: Db,
  device: Pick<DeviceRow, "id" | "armed_at">,
  { waiting, hasEnded, signUps }: SignUpsRequest,
  now: EpochMillis,
): Promise<SignUpsResponse> {
  const sent = JSON.stringify(withPossibleTimes(signUps, device, now));
  const ids = sql`SELECT value FROM json_each(${JSON.stringify(signUps.map(({ id }) => id))})`;
  const kept = db.select({ id: fairInbox.id }).from(fairInbox).where(sql`${fairInbox.id} IN (${ids})`);
  const decided = db.select({ id: fairSignUps.id }).from(fairSignUps).where(sql`${fairSignUps.id} IN (${ids})`);
  const known = kept.union(decided);
  const left =
    signUps.length === 0 ? sql`${waiting}` : sql`max(0, ${waiting} - (SELECT count(*) FROM (${known.getSQL()})))`;
  const contact = noteContact(db, device.id, { left, hasEnded }, now);
  const states = db.select().from(fairDevices).where(eq(fairDevices.id, device.id));
  if (signUps.length === 0) {
    const [, [found]] = await db.batch([contact(sql`0`), states]);
    return { state: stateIn(found, now), now, stored: [] };
  }
  const [, , , [found], stored] = await db.batch([
    storeSent(db, device.id, sent, now),
    contact(sql`changes()`),
    addFairJob(db, device.id, now),
    states,
    known,
  ]);
  const state = stateIn(found, now);
  const acknowledged = new Set(state === "closed" ? [] : stored.map(({ id }) => id));
  return { state, now, stored: signUps.map(({ id }) => id).filter((id) => acknowledged.has(id)) };
}

/** The statement that lets a job add what of a device is due, unless one waits for that already. */
export function addFairJob(db: Db, device: number, now: EpochMillis) {
  const hasDue = sql`EXISTS (SELECT 1 FROM ${fairInbox} WHERE ${fairInbox.device_id} = ${device} AND ${fairInbox.state} = 'due')`;
  // One that a run holds may have read the inbox already.
  const isPlanned = sql`EXISTS (SELECT 1 FROM jobs WHERE kind = 'fair' AND subject = ${device} AND done_at IS NULL
    AND dead_at IS NULL AND leased_until = 0 AND data IS NULL)`;
  return addJob(db, { kind: "fair", subject: device, next_attempt_at: now }, sql`${hasDue} AND NOT ${isPlanned}`);
}

function storeSent(db: Db, device: number, sent: string, now: EpochMillis) {
  const value = (name: "id" | "at" | "consent" | "sealed") => sql`value ->> ${sql.raw(`'${name}'`)}`;
  const { revoked_at, expires_at, closed_at, received } = fairDevices;
  const reason = sql`CASE WHEN ${revoked_at} IS NOT NULL THEN 'revoked' WHEN ${expires_at} <= ${now} THEN 'expired'
    WHEN ${received} + key >= ${MAX_SIGN_UPS} THEN 'limit' END`;
  return db
    .insert(fairInbox)
    .select(
      sql`SELECT ${value("id")}, ${device}, iif(${reason} IS NULL, 'due', 'held'), ${reason}, ${now},
        ${value("at")}, ${value("consent")}, ${value("sealed")}
        FROM ${fairDevices} CROSS JOIN json_each(${sent})
        WHERE ${fairDevices.id} = ${device} AND ${closed_at} IS NULL AND ${received} + key < ${MAX_STORED}
        AND NOT EXISTS (SELECT 1 FROM ${fairSignUps} WHERE ${fairSignUps.id} = ${value("id")})
        AND NOT EXISTS (SELECT 1 FROM ${fairInbox} WHERE ${fairInbox.id} = ${value("id")})`,
    )
    .onConflictDoNothing();
}

/** Writes nothing for a closed device, nor within {@link CONTACT_INTERVAL} if all is as before. */
function noteContact(db: Db, device: number, says: { left: SQL; hasEnded: boolean }, now: EpochMillis) {
  const { closed_at, received, waiting, form_closed_at, last_seen_at } = fairDevices;
  const formClosedAt = says.hasEnded ? sql`coalesce(${form_closed_at}, ${now})` : sql`NULL`;
  return (added: SQL) =>
    db
      .update(fairDevices)
      .set({
        last_seen_at: now,
        waiting: says.left,
        received: sql`${received} + ${added}`,
        form_closed_at: formClosedAt,
      })
      .where(
        sql`${fairDevices.id} = ${device} AND ${closed_at} IS NULL AND (${added} > 0 OR ${waiting} <> ${says.left}
          OR ${form_closed_at} IS NOT ${formClosedAt} OR ${last_seen_at} <= ${now - CONTACT_INTERVAL})`,
      );
}

/**
 * Nobody typed anything before the device was armed, nor in the future: then its clock was wrong. Such times are replaced
 * by the present, a millisecond apart, so that the order stays.
 */
function withPossibleTimes(signUps: SealedSignUp[], { armed_at }: Pick<DeviceRow, "armed_at">, now: EpochMillis) {
  const isPossible = ({ at }: SealedSignUp) => at >= (armed_at ?? 0) && at <= now;
  let following = signUps.filter((signUp) => !isPossible(signUp)).length;
  return signUps.map((signUp) => {
    if (isPossible(signUp)) return signUp;
    following -= 1;
    return { ...signUp, at: now - following };
  });
}

/** Its row is never deleted. */
function stateIn(device: DeviceRow | undefined, now: EpochMillis): DeviceState {
  return device === undefined ? "closed" : stateOf(device, now);
}
