import { inArray, lte, sql } from "drizzle-orm";
import type { OwnerEmailData } from "#app/email/render-email.server.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox, type NotificationKind } from "#app/server/db/schema.server.ts";

/** Minimum time between two notifications of one kind (milliseconds). */
const NOTIFICATION_INTERVAL = 60 * 60_000;

export type StoredNotification = Pick<
  typeof emailOutbox.$inferSelect,
  "kind" | "data" | "sent_at" | "dead_at" | "reason" | "attempts"
> & { kind: NotificationKind; data: { periodEnd: number } };

/** The latest notification of each kind. */
export async function readNotifications(db: Db): Promise<StoredNotification[]> {
  const kinds: NotificationKind[] = ["digest", "alert", "send-limit"];
  const { kind, data, sent_at, dead_at, reason, attempts, dedupe_key } = emailOutbox;
  const query = db
    .select({ kind, data, sent_at, dead_at, reason, attempts })
    .from(emailOutbox)
    .where(inArray(dedupe_key, kinds));
  return (await query) as StoredNotification[];
}

/**
 * Queues a notification, unless one of its kind is queued, is being sent, or was sent or marked dead within
 * {@link NOTIFICATION_INTERVAL}. With `replacesUnsent` only the lease and the period count: one that covers a later
 * period replaces a queued one. Atomic: concurrent callers queue only one.
 *
 * @param periodEnd end of the reported period, exclusive; the next notification starts here
 * @returns whether it was queued
 */
export async function enqueueNotification<Kind extends NotificationKind>(
  db: Db,
  notification: { kind: Kind; data: OwnerEmailData[Kind]; periodEnd: number; replacesUnsent?: boolean },
  now: number,
): Promise<boolean> {
  const { kind, data, periodEnd, replacesUnsent = false } = notification;
  const { sent_at, dead_at, data: stored } = emailOutbox;
  const replaces = replacesUnsent
    ? sql`${stored} ->> 'periodEnd' < ${periodEnd}`
    : lte(sql`coalesce(${sent_at}, ${dead_at})`, now - NOTIFICATION_INTERVAL);
  const email = { id: crypto.randomUUID(), kind, data: { ...data, periodEnd } };
  return (await ownerEmailUpsert(db, email, replaces, now)).length > 0;
}
