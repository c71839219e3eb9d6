import { and, eq, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { EmailContext } from "#app/email/entry-emails.server.ts";
import type { Mailer } from "#app/email/mailer.server.ts";
import {
  type NotificationProps,
  type OwnerNotification,
  renderNotification,
} from "#app/email/notification-emails.server.ts";
import { LEASE } from "#app/email/outbox.server.ts";
import { MAX_ATTEMPTS, retryDelay } from "#app/email/retry-schedule.ts";
import { DB_TIMEOUT, type Db } from "#app/server/db/client.server.ts";
import { ownerNotifications } from "#app/server/db/schema.server.ts";
import { describeError, logError, logInfo } from "#app/server/log.ts";
import { withTimeout } from "#app/server/timeout.ts";

export interface NotificationDeps {
  db: Db;
  /** Null while no sender is configured: notifications wait. */
  mailer: Mailer | null;
  /** Null while no owner is configured: none are sent. */
  ownerEmail: string | null;
  /** IANA name. */
  ownerTimeZone: string;
  emailContext: EmailContext;
  now: () => number;
}

/** Minimum time between two notifications of one kind (milliseconds). */
const NOTIFICATION_INTERVAL = 60 * 60_000;

export type StoredNotification = typeof ownerNotifications.$inferSelect;

/** The newest notification of each kind. */
export async function readNotifications(db: Db): Promise<StoredNotification[]> {
  return withDbTimeout(db.select().from(ownerNotifications));
}

/**
 * Queues a notification, unless one of its kind is queued, is being sent, or was sent or marked dead within
 * {@link NOTIFICATION_INTERVAL}. With `replacesUnsent` only the lease and `coversUntil` count: one that covers a later
 * period replaces a queued one. Atomic: concurrent callers queue only one.
 *
 * @returns whether it was queued
 */
export async function enqueueNotification<Kind extends OwnerNotification["kind"]>(
  db: Db,
  notification: { kind: Kind; facts: NotificationProps[Kind]; coversUntil: number; replacesUnsent?: boolean },
  now: number,
): Promise<boolean> {
  const { kind, facts, coversUntil, replacesUnsent = false } = notification;
  const row = {
    id: crypto.randomUUID(),
    facts,
    covers_until: coversUntil,
    owed_at: now,
    attempts: 0,
    next_attempt_at: now,
    leased_until: 0,
    sent_at: null,
    dead_at: null,
    last_error: null,
  };
  const settled = lte(
    sql`coalesce(${ownerNotifications.sent_at}, ${ownerNotifications.dead_at})`,
    now - NOTIFICATION_INTERVAL,
  );
  const isNew = replacesUnsent ? lt(ownerNotifications.covers_until, coversUntil) : settled;
  const upsert = db
    .insert(ownerNotifications)
    .values({ kind, ...row })
    .onConflictDoUpdate({
      target: ownerNotifications.kind,
      set: row,
      setWhere: and(isNew, or(lte(ownerNotifications.leased_until, now), isNotNull(ownerNotifications.sent_at))),
    })
    .returning({ kind: ownerNotifications.kind });
  return (await withDbTimeout(upsert)).length > 0;
}

/** Sends due notifications. They are exempt from the send limit, which one of them reports. */
export async function deliverNotifications(deps: NotificationDeps): Promise<void> {
  if (deps.mailer === null || deps.ownerEmail === null) return;
  for (const claimed of await claimNotifications(deps.db, deps.now()))
    await deliver(deps, deps.mailer, deps.ownerEmail, claimed);
}

async function deliver(deps: NotificationDeps, mailer: Mailer, to: string, stored: StoredNotification): Promise<void> {
  const { kind, id, attempts } = stored;
  const { siteUrl, replyTo } = deps.emailContext;
  const content = renderNotification(stored as OwnerNotification, { siteUrl, timeZone: deps.ownerTimeZone });
  try {
    await mailer.send({ to, replyTo, ...content, headers: { "Auto-Submitted": "auto-generated" } }, id);
  } catch (error) {
    const dead = attempts >= MAX_ATTEMPTS;
    await updateRow(deps.db, id, {
      last_error: describeError(error).slice(0, 500),
      leased_until: 0,
      ...(dead ? { dead_at: deps.now() } : { next_attempt_at: deps.now() + retryDelay(attempts) }),
    });
    logError("notification-failed", error, { kind, attempts, outcome: dead ? "dead" : "waiting" });
    return;
  }
  await updateRow(deps.db, id, { sent_at: deps.now(), leased_until: 0, last_error: null });
  logInfo("notification-sent", { kind, attempts });
}

/** Claims due notifications. Atomic: concurrent sweeps never claim the same one. */
async function claimNotifications(db: Db, now: number): Promise<StoredNotification[]> {
  const { sent_at, dead_at, next_attempt_at, leased_until, attempts } = ownerNotifications;
  const isDue = and(isNull(sent_at), isNull(dead_at), lte(next_attempt_at, now), lte(leased_until, now));
  const claim = db
    .update(ownerNotifications)
    .set({ leased_until: now + LEASE, attempts: sql`${attempts} + 1` })
    .where(isDue)
    .returning();
  return withDbTimeout(claim);
}

async function updateRow(db: Db, id: string, set: Partial<StoredNotification>): Promise<void> {
  await withDbTimeout(db.update(ownerNotifications).set(set).where(eq(ownerNotifications.id, id)));
}

function withDbTimeout<T>(query: PromiseLike<T>): Promise<T> {
  return withTimeout(Promise.resolve(query), DB_TIMEOUT, "D1");
}
