import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Db } from "#app/server/db/client.server.ts";
import { type Device, stateOf } from "#app/waitlist/fair/arm.server.ts";
import {
  type ArmRequest,
  MAX_RECORDS,
  MAX_SEALED,
  type SignUpsRequest,
  type SignUpsResponse,
} from "#app/waitlist/fair/protocol.ts";
import { fairDevices, fairInbox, fairSignUps, type HeldReason } from "#app/waitlist/fair/schema.server.ts";

/** Sign-ups that one device adds; further ones are held. */
export const MAX_SIGN_UPS = 2_000;

const base64Url = (length: number) => v.pipe(v.string(), v.maxLength(length), v.regex(/^[A-Za-z0-9_-]+$/));
const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const armSchema = v.strictObject({
  code: base64Url(128),
  /** 32 bytes. */
  key: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/)),
}) satisfies v.GenericSchema<ArmRequest>;

export const signUpsSchema = v.strictObject({
  waiting: wholeNumber,
  signUps: v.pipe(
    v.array(
      v.strictObject({
        // In lower case, as browsers write it: the same id in capitals would be another one.
        id: v.pipe(v.string(), v.regex(/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)),
        at: wholeNumber,
        consent: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
        sealed: base64Url(MAX_SEALED),
      }),
    ),
    v.maxLength(MAX_RECORDS),
  ),
}) satisfies v.GenericSchema<SignUpsRequest>;

/**
 * Stores what a device sent, and what it says of itself, in one D1 batch. Sign-ups that were stored or decided before are
 * acknowledged and not stored again. A closed device's are not stored, because nobody can read them.
 */
export async function receive(
  db: Db,
  device: Device,
  { waiting, signUps }: SignUpsRequest,
  now: number,
): Promise<SignUpsResponse> {
  const state = stateOf(device, now);
  const isKept = state !== "closed";
  const records = signUps.map((signUp, index) => ({
    ...signUp,
    at: isPossible(signUp.at, device, now) ? signUp.at : now,
    reason: heldReason(state, device.received + index),
  }));
  const value = (name: "id" | "at" | "consent" | "sealed" | "reason") => sql`value ->> ${sql.raw(`'${name}'`)}`;
  const stored = db
    .insert(fairInbox)
    .select(
      sql`SELECT ${value("id")}, ${device.id}, iif(${value("reason")} IS NULL, 'due', 'held'), ${value("reason")}, ${now},
        ${value("at")}, ${value("consent")}, ${value("sealed")}
        FROM json_each(${JSON.stringify(records)})
        WHERE NOT EXISTS (SELECT 1 FROM ${fairSignUps} WHERE ${fairSignUps.id} = ${value("id")})
        AND NOT EXISTS (SELECT 1 FROM ${fairInbox}
          WHERE ${fairInbox.state} IN ('due', 'held') AND ${fairInbox.id} = ${value("id")})`,
    )
    .onConflictDoNothing();
  const left = Math.max(0, waiting - signUps.length);
  const contact = (added: number | ReturnType<typeof sql>) =>
    db
      .update(fairDevices)
      .set({ last_seen_at: now, waiting: isKept ? left : 0, received: sql`${fairDevices.received} + ${added}` })
      .where(sql`${fairDevices.id} = ${device.id}`);
  if (isKept && records.length > 0) await db.batch([stored, contact(sql`changes()`)]);
  else await contact(0);
  return { state, now, stored: isKept ? records.map(({ id }) => id) : [] };
}

/** Nobody typed anything before the device was armed, nor in the future: its clock is wrong. */
function isPossible(at: number, { armed_at }: Device, now: number): boolean {
  return at >= (armed_at ?? 0) && at <= now;
}

function heldReason(state: "open" | "expired" | "revoked" | "closed", earlier: number): HeldReason | null {
  if (state === "expired" || state === "revoked") return state;
  return earlier >= MAX_SIGN_UPS ? "limit" : null;
}
