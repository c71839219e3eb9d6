import { sql } from "drizzle-orm";
import type { OwnerEmailData } from "#app/email/render-email.server.ts";
import type { EmailContext } from "#app/server/context.ts";
import type { Db } from "#app/server/db/client.server.ts";
import { ownerEmailUpsert } from "#app/server/db/enqueue-email.server.ts";
import { emailOutbox, type NotificationKind } from "#app/server/db/schema/email.server.ts";
import { identifyOwners } from "#app/server/owners.server.ts";
import { type EpochMillis, HOUR } from "#app/server/time/units.ts";

/** Minimum time between two notifications of one kind. */
const NOTIFICATION_INTERVAL = HOUR;

export type StoredNotification = Pick<
  typeof emailOutbox.$inferSelect,
  "kind" | "data" | "done_at" | "dead_at" | "reason" | "attempts"
> & { kind: NotificationKind; ownerId: string; data: { periodEnd: EpochMillis } };

/** The ids of the owners who want such emails. Those about the send limit are alerts. */
export async function ownersWanting(
  kind: "digest" | "alert",
  { ownerEmails, notificationsOff = [] }: Pick<EmailContext, "ownerEmails" | "notificationsOff">,
): Promise<string[]> {
  const owners = await identifyOwners(ownerEmails);
  return owners.map(({ id }) => id).filter((id) => !notificationsOff.includes(`${kind}:${id}`));
}

export async function readNotifications(db: Db, owners: string[]): Promise<StoredNotification[]> {
  const kinds: NotificationKind[] = ["digest", "alert", "send-limit"];
  const { kind, owner_id: ownerId, data, done_at, dead_at, reason, attempts, dedupe_key } = emailOutbox;
  const keys = JSON.stringify(owners.flatMap((owner) => kinds.map((name) => `${name}:${owner}`)));
  const query = db
    .select({ kind, ownerId, data, done_at, dead_at, reason, attempts })
    .from(emailOutbox)
    .where(sql`${dedupe_key} IN (SELECT value FROM json_each(${keys}))`);
  return (await query) as StoredNotification[];
}

/**
 * Queues notifications of one kind, except to owners for whom one is queued, is being sent, or was sent or marked dead
 * within {@link NOTIFICATION_INTERVAL}. With `replacesUnsent` only the lease and the period count: one that covers a later
 * period replaces a queued one. Atomic: concurrent callers queue only one for each owner.
 *
 * @param notifications `periodEnd` is the end of what they report, exclusive; the next one starts there
 */
export async function queueNotifications<Kind extends NotificationKind>(
  db: Db,
  kind: Kind,
  notifications: { ownerId: string; data: OwnerEmailData[Kind]; periodEnd: EpochMillis }[],
  now: EpochMillis,
  { replacesUnsent = false } = {},
): Promise<number> {
  if (notifications.length === 0) return 0;
  const { done_at, dead_at, data: stored } = emailOutbox;
  const replaces = replacesUnsent
    ? sql`${stored} ->> 'periodEnd' < excluded.data ->> 'periodEnd'`
    : sql`coalesce(${done_at}, ${dead_at}) <= ${now - NOTIFICATION_INTERVAL}`;
  const emails = notifications.map(({ ownerId, data, periodEnd }) => {
    return { id: crypto.randomUUID(), ownerId, data: { ...data, periodEnd } };
  });
  return (await ownerEmailUpsert(db, kind, emails, replaces, now)).length;
}
