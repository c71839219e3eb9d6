import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Device } from "#app/features/fair/arm.server.ts";
import { addFairJob } from "#app/features/fair/inbox.server.ts";
import { createOpener, openSignUp } from "#app/features/fair/open.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { fairInbox, fairSignUps, type ReviewReason } from "#app/server/db/schema/fair.server.ts";

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
  /** Milliseconds since 1970. */
  seenAt: number;
}

const { id, device_id, state, reason, changed_at, typed_at } = fairInbox;

const isHeld = ({ device, seenAt }: Decision) => and(eq(device_id, device), eq(state, "held"), lte(changed_at, seenAt));

/** Lets the cron job add what is held and can be added. @returns how many */
export async function acceptHeld(db: Db, decision: Decision, now: number): Promise<number> {
  const accept = db
    .update(fairInbox)
    .set({ state: "due", reason: null, changed_at: now })
    .where(and(isHeld(decision), inArray(reason, acceptable)));
  const [{ meta }] = await db.batch([accept, addFairJob(db, decision.device, now)]);
  return meta.changes;
}

/** Deletes what is held. Its ids stay, so that it is not stored again if it is sent again. @returns how many */
export async function discardHeld(db: Db, decision: Decision): Promise<number> {
  const discarded = db.select({ id, device_id }).from(fairInbox).where(isHeld(decision));
  const [, { meta }] = await db.batch([
    db.insert(fairSignUps).select(discarded).onConflictDoNothing(),
    db.delete(fairInbox).where(isHeld(decision)),
  ]);
  return meta.changes;
}

export interface HeldSignUp {
  id: string;
  reason: ReviewReason | null;
  /** By the tablet's clock, as far as that is possible. */
  typed_at: number;
  /** Null if it cannot be read. */
  email: string | null;
}

/** A page of what is held, oldest first, with its addresses: opening one takes half a millisecond of CPU time. */
export async function readHeld(
  db: Db,
  { id: device, public_key, private_key }: Pick<Device, "id" | "public_key" | "private_key">,
  { page, size }: { page: number; size: number },
): Promise<{ held: HeldSignUp[]; hasMore: boolean }> {
  const found = await db
    .select({ id, reason, typed_at, sealed: fairInbox.sealed })
    .from(fairInbox)
    .where(sql`${device_id} = ${device} AND ${state} = 'held'`)
    .orderBy(asc(typed_at), asc(id))
    .limit(size + 1)
    .offset((page - 1) * size);
  const opener = await createOpener(device, { public_key, private_key });
  const held = found.slice(0, size).map(async ({ sealed, ...signUp }) => {
    const content = await openSignUp(opener, { id: signUp.id, sealed });
    return { ...signUp, email: content?.email ?? null };
  });
  return { held: await Promise.all(held), hasMore: found.length > size };
}
