import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { DeviceRow } from "#app/features/fair/devices.server.ts";
import { addFairJob } from "#app/features/fair/inbox.server.ts";
import { createOpener, openSignUp } from "#app/features/fair/open.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { fairInbox, fairSignUps, type ReviewReason } from "#app/server/db/schema/fair.server.ts";
import type { EpochMillis } from "#app/server/time/units.ts";

export const canBeAdded: Record<ReviewReason, boolean> = {
  expired: true,
  revoked: true,
  limit: true,
  mailbox: true,
  launched: true,
  unreadable: false,
  address: false,
  disposable: false,
};

const acceptable = (Object.keys(canBeAdded) as ReviewReason[]).filter((reason) => canBeAdded[reason]);

/** What waits for an owner's decision, as far as it had come by a time: an owner decides on what they have seen. */
interface Decision {
  device: number;
  seenAt: EpochMillis;
}

const { id, device_id, state, reason, changed_at, typed_at } = fairInbox;

const awaitsReview = ({ device, seenAt }: Decision) =>
  and(eq(device_id, device), eq(state, "held"), lte(changed_at, seenAt));

/** Lets the cron job add what awaits review and can be added. @returns how many */
export async function acceptSignUps(db: Db, decision: Decision, now: EpochMillis): Promise<number> {
  const accept = db
    .update(fairInbox)
    .set({ state: "due", reason: null, changed_at: now })
    .where(and(awaitsReview(decision), inArray(reason, acceptable)));
  const [{ meta }] = await db.batch([accept, addFairJob(db, decision.device, now)]);
  return meta.changes;
}

/** Deletes what awaits review. Its ids stay, so that it is not stored again if it is sent again. @returns how many */
export async function discardSignUps(db: Db, decision: Decision): Promise<number> {
  const discarded = db.select({ id, device_id }).from(fairInbox).where(awaitsReview(decision));
  const [, { meta }] = await db.batch([
    db.insert(fairSignUps).select(discarded).onConflictDoNothing(),
    db.delete(fairInbox).where(awaitsReview(decision)),
  ]);
  return meta.changes;
}

export type SignUpInReview = Awaited<ReturnType<typeof readInReview>>["signUps"][number];

/**
 * A page of what awaits review, oldest first, with its addresses: opening one takes half a millisecond of CPU time. An address
 * is null if it cannot be read; `typed_at` is by the tablet's clock, as far as that is possible.
 */
export async function readInReview(db: Db, device: DeviceRow, { page, size }: { page: number; size: number }) {
  const found = await db
    .select({ id, reason, typed_at, sealed: fairInbox.sealed })
    .from(fairInbox)
    .where(sql`${device_id} = ${device.id} AND ${state} = 'held'`)
    .orderBy(asc(typed_at), asc(id))
    .limit(size + 1)
    .offset((page - 1) * size);
  const opener = await createOpener(device.id, device);
  const opened = found.slice(0, size).map(async (signUp) => {
    const content = await openSignUp(opener, signUp);
    return { ...signUp, email: content?.email ?? null };
  });
  return { signUps: await Promise.all(opened), hasMore: found.length > size };
}
